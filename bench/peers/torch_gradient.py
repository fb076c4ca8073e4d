"""torch_gradient.py INPUT OUTPUT WAY: loss and gradient of LGN-SD on the ladder with PyTorch.

WAY is `steps`: one matrix_exp, all runs at once, the loss as it is defined, a sum of squares;
`steps-mean` and `blocks`: tuned for PyTorch, with the mean in place of the sum, and with wide products in addition;
`authors`: as the paper's authors do it, a loop that fills S entry by entry, and one run after the other.
"""

import sys

import torch

from server import read_numbers, serve

torch.set_num_threads(1)
torch.set_default_dtype(torch.float64)

N, RUNS, SAMPLES, STEP = 100, 3, 300, 0.1
source, target, way = sys.argv[1:4]


def tensor(name, *shape):
    return torch.from_numpy(read_numbers(source, name, *shape).copy(order="C"))


theta = tensor("theta", N * (N + 1) // 2).requires_grad_()
starts = tensor("starts", N, RUNS)
samples = tensor("samples", N, SAMPLES, RUNS)  # state, time, run
count = samples.numel()

row, column = torch.triu_indices(N, N, 1)
above = row * N + column
coupling, damping = len(above), slice(len(above), None)


def generator():
    """S − D, with S placed by one indexed copy."""
    upper = torch.zeros(N * N).index_copy(0, above, theta[:coupling]).view(N, N)
    return upper - upper.T - torch.diag(theta[damping].clamp(min=0))


def steps(reduction):
    """One product of n × n with n × 3 per sample."""
    step_map = torch.matrix_exp(STEP * generator())
    states = [starts]
    for _ in range(SAMPLES - 1):
        states.append(step_map @ states[-1])
    return torch.nn.functional.mse_loss(torch.stack(states, 1), samples, reduction=reduction)


BLOCK = 16
columns = samples.reshape(N, SAMPLES * RUNS)


def blocks():
    """Doubling up to 16 samples, then 16 samples per product, so that products are wide."""
    step_map = torch.matrix_exp(STEP * generator())
    block = starts
    for _ in range(BLOCK.bit_length() - 1):
        block = torch.cat((block, step_map @ block), 1)
        step_map = step_map @ step_map
    states = [block]
    while len(states) * BLOCK < SAMPLES:
        states.append(step_map @ states[-1])
    return torch.nn.functional.mse_loss(torch.cat(states, 1)[:, : SAMPLES * RUNS], columns)


def authors():
    loss = 0
    for run in range(RUNS):
        skew = torch.zeros(N, N)
        k = 0
        for i in range(N):
            for j in range(i + 1, N):
                skew[i, j] = theta[k]
                skew[j, i] = -theta[k]
                k += 1
        step_map = torch.matrix_exp(STEP * (skew - torch.diag(theta[damping].clamp(min=0))))
        state = starts[:, run]
        states = [state]
        for _ in range(SAMPLES - 1):
            state = step_map @ state
            states.append(state)
        loss = loss + torch.nn.functional.mse_loss(torch.stack(states, 1), samples[:, :, run])
    return loss / RUNS


# Backward through matrix_exp scales by the size of what comes back, so the mean saves it squarings. The answer, times
# the number of samples, is the sum's.
WAYS = {
    "steps": lambda: steps("sum"),
    "steps-mean": lambda: steps("mean"),
    "blocks": blocks,
    "authors": authors,
}
factor = 1 if way == "steps" else count


def work():
    loss = WAYS[way]()
    return loss, torch.autograd.grad(loss, theta)[0]


serve(work, lambda r: {"loss": factor * r[0].detach(), "gradient": factor * r[1]}, target)
