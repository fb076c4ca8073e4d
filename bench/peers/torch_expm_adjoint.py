"""torch_expm_adjoint.py INPUT OUTPUT N: autograd through torch.matrix_exp, forward and backward."""

import sys

import torch

from server import read_numbers, serve

torch.set_num_threads(1)
source, target, n = sys.argv[1], sys.argv[2], int(sys.argv[3])
a = torch.from_numpy(read_numbers(source, "a", n, n).copy(order="C")).requires_grad_()
g = torch.from_numpy(read_numbers(source, "g", n, n).copy(order="C"))


def work():
    value = torch.matrix_exp(a)
    return value, torch.autograd.grad(value, a, g)[0]


serve(work, lambda r: {"exp": r[0].detach(), "gradient": r[1]}, target)
