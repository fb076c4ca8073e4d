% octave write.m FOLDER: the data of write.py as Octave's users have them, samples x channels x runs.
folder = argv(){end};
t = (0:3)' / 2;
x = zeros(4, 2, 2);
for r = 1:2
  x(:, :, r) = 100 * (r - 1) + 10 * (0:3)' + (0:1);
end
x(2, 1, 1) = NaN;
channels = {'Δq', 'p'};
runs = ['a'; 'b'];
save('-v6', [folder '/octave_v6.mat'], 't', 'x', 'channels', 'runs');
save('-v7', [folder '/octave_v7.mat'], 't', 'x', 'channels', 'runs');
t = t';
x = single(x(:, :, 1));
save('-v7', [folder '/octave_row.mat'], 't', 'x');
