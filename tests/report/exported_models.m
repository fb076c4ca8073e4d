% exported_models.m FOLDER: runs every exported model of the folder and prints how far it is from lgn's own states.
%
% Beside NAME.m stands NAME.csv, the times and states of Model::propagate, and NAME.inputs where there are inputs.
folder = argv(){1};
addpath(folder);
files = dir(fullfile(folder, '*.csv'));
for k = 1:numel(files)
  [~, name] = fileparts(files(k).name);
  model = feval(name);
  data = dlmread(fullfile(folder, files(k).name));
  wanted = data(:, 2:end);
  inputs = fullfile(folder, [name '.inputs']);
  if exist(inputs, 'file')
    found = model.simulate(data(:, 1), [], dlmread(inputs));
  else
    found = model.simulate(data(:, 1));
  end
  printf('%s %.3g\n', name, max(abs(found(:) - wanted(:))) / max(abs(wanted(:))));
end
