% exported_models.m FOLDER: runs every exported model of the folder and prints how far it is from lgn's own states.
%
% Beside NAME.m stands NAME.csv, the times and states of Model::propagate.
folder = argv(){1};
addpath(folder);
files = dir(fullfile(folder, '*.csv'));
for k = 1:numel(files)
  [~, name] = fileparts(files(k).name);
  model = feval(name);
  data = dlmread(fullfile(folder, files(k).name));
  wanted = data(:, 2:end);
  found = model.simulate(data(:, 1));
  printf('%s %.3g\n', name, max(abs(found(:) - wanted(:))) / max(abs(wanted(:))));
end
