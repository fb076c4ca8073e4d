"""torch_ltv_gradient.py INPUT OUTPUT N WAY: loss and gradient of the paper's LGN-SD for Exp 2 with PyTorch, N states.

WAY is `authors`: as the paper's authors do it, a loop that evaluates A(t) at the three samples of a step, one after the
other, and exponentiates;
`samples`: the same loop with one evaluation for the three samples;
`batched`: tuned for PyTorch, the features known, all A(t), Ω and exponentials at once, then a loop of products with the
state; `scan`: the same, with the products of the maps taken in parallel in place of the loop.
"""

import sys

import torch

from server import read_numbers, serve

torch.set_num_threads(1)
torch.set_default_dtype(torch.float64)

source, target, n, way = sys.argv[1:5]
N = int(n)
COUPLINGS, SAMPLES, FREQUENCIES, STEP = N * (N - 1) // 2, 201, 25, 0.1


def tensor(name, *shape):
    return torch.from_numpy(read_numbers(source, name, *shape).copy(order="C"))


omega = tensor("frequencies", FREQUENCIES)
times = tensor("times", SAMPLES)
start = tensor("start", N)
samples = tensor("samples", N, SAMPLES)
# For each entry of S, row by row, then of d: the constant, cos ω1 t, sin ω1 t, cos ω2 t …
theta = tensor("theta", 1 + 2 * FREQUENCIES, COUPLINGS + N)

row, column = torch.triu_indices(N, N, 1)
above = row * N + column


class LgnSd(torch.nn.Module):
    """A(t) = S(t) − D(t), each linear in φ(t) = (cos ωt, sin ωt)."""

    def __init__(self):
        super().__init__()
        self.coupling = torch.nn.Linear(2 * FREQUENCIES, COUPLINGS)
        self.damping = torch.nn.Linear(2 * FREQUENCIES, N)

    def forward(self, phi):
        """One A for each row of φ, or for φ alone. S is placed by one indexed copy."""
        shape = phi.shape[:-1]
        upper = torch.zeros(*shape, N * N).index_copy(-1, above, self.coupling(phi)).view(*shape, N, N)
        damping = torch.nn.functional.softplus(self.damping(phi))
        return upper - upper.mT - torch.diag_embed(damping)


def features(t):
    return torch.cat((torch.cos(omega * t), torch.sin(omega * t)), -1)


def exponent(first, middle, last):
    """The fourth-order Magnus step on the three samples that the paper's M2 takes."""
    commutator = first @ last - last @ first
    return STEP / 6 * (first + 4 * middle + last) - STEP**2 / 12 * commutator


def loop(generators):
    state = start
    states = [state]
    for t in times[:-1]:
        state = torch.matrix_exp(exponent(*generators(t))) @ state
        states.append(state)
    return torch.stack(states, 1)


def authors():
    return loop(lambda t: (model(features(t)), model(features(t + STEP / 2)), model(features(t + STEP))))


offsets = torch.tensor([[0], [STEP / 2], [STEP]])


def three_samples():
    return loop(lambda t: model(features(t + offsets)).unbind())


nodes = features(torch.cat((times, times[:-1] + STEP / 2))[:, None])


def step_maps():
    ends, middles = model(nodes).split((SAMPLES, SAMPLES - 1))
    return torch.matrix_exp(exponent(ends[:-1], middles, ends[1:]))


def batched():
    states = [start]
    for step_map in step_maps().unbind():  # an index per step would have each pass back a gradient of all maps
        states.append(step_map @ states[-1])
    return torch.stack(states, 1)


def scan():
    """Φ_k … Φ_1 for all k, by products over 1, 2, 4 … steps."""
    maps = step_maps()
    reach = 1
    while reach < len(maps):
        maps = torch.cat((maps[:reach], maps[reach:] @ maps[:-reach]))
        reach *= 2
    return torch.cat((start[None], maps @ start)).T


def weights(linear):
    """A layer's part of θ, the functions in our order."""
    wave = linear.weight.grad.unflatten(1, (2, FREQUENCIES)).transpose(1, 2).flatten(1)
    return torch.cat((linear.bias.grad[:, None], wave), 1).T


def set_weights(linear, values):
    linear.bias.copy_(values[0])
    linear.weight.copy_(torch.cat((values[1::2], values[2::2])).T)


model = LgnSd()
with torch.no_grad():
    set_weights(model.coupling, theta[:, :COUPLINGS])
    set_weights(model.damping, theta[:, COUPLINGS:])

states = {"authors": authors, "samples": three_samples, "batched": batched, "scan": scan}[way]


def work():
    # The mean, as in torch_gradient.py; the answer, times the number of samples, is the sum's.
    model.zero_grad()
    loss = torch.nn.functional.mse_loss(states(), samples)
    loss.backward()
    return loss


def answer(loss):
    gradient = torch.cat((weights(model.coupling), weights(model.damping)), 1)
    return {"loss": samples.numel() * loss.detach(), "gradient": samples.numel() * gradient}


serve(work, answer, target)
