'use strict';
/* What moves in a report: pages of channels, the choice of runs, the shapes of modes. */

/* Empties a place of figures. */
function clear(place) {
  for (const figure of place.querySelectorAll('figure')) { watcher.unobserve(figure); forget(figure.dataset.plot); }
  place.replaceChildren();
}

/* Channels by pages of six, one run at a time, data over what is left. */
(function signals() {
  const place = document.getElementById('signals');
  if (!place) return;
  const perPage = 6, { channels, runs } = report;
  const bar = document.createElement('div'), grid = document.createElement('div');
  bar.className = 'bar';
  grid.className = 'grid';
  place.append(bar, grid);
  const button = text => { const b = document.createElement('button'); b.textContent = text; return b; };
  const before = button('‹ before'), after = button('after ›'), where = document.createElement('span');
  const run = document.createElement('select'), search = document.createElement('input');
  run.setAttribute('aria-label', 'run');
  runs.forEach((label, k) => run.add(new Option(`run ${label}`, k)));
  search.type = 'search';
  search.placeholder = 'find a channel';
  search.setAttribute('aria-label', 'find a channel');
  const many = channels.length > perPage;
  bar.append(...(runs.length > 1 ? [run] : []), ...(many ? [before, where, after, search] : []));
  let first = 0;
  function fill() {
    const found = channels.map((name, k) => [name, k]).filter(([name]) => name.toLowerCase().includes(search.value.toLowerCase()));
    first = Math.max(0, Math.min(first, found.length - 1));
    first -= first % perPage;
    clear(grid);
    const ending = Number(run.value) > 0 ? `-run-${Number(run.value) + 1}` : '';
    for (const [, k] of found.slice(first, first + perPage)) {
      const panel = document.createElement('div');
      panel.append(figureOf(`signal-${k + 1}${ending}`));
      if (report.plots[`residual-${k + 1}${ending}`]) panel.append(figureOf(`residual-${k + 1}${ending}`, 'low'));
      grid.append(panel);
    }
    where.textContent = found.length ? `channels ${first + 1} to ${Math.min(first + perPage, found.length)} of ${found.length}` : 'no such channel';
    before.disabled = first === 0;
    after.disabled = first + perPage >= found.length;
  }
  before.onclick = () => { first -= perPage; fill(); };
  after.onclick = () => { first += perPage; fill(); };
  run.onchange = () => { const any = [...charts.values()].find(c => c.plot && c.plot.group === 'time'); if (any) show(any, null, null); fill(); };
  search.oninput = () => { first = 0; fill(); };
  fill();
})();

/* The shape of one mode: over the rows of channels in motion, else as sizes and phases. */
(function shapes() {
  const place = document.getElementById('shapes');
  if (!place || !report.shapes.modes.length) return;
  const { modes, rows } = report.shapes;
  const bar = document.createElement('div'), choice = document.createElement('select'), play = document.createElement('button');
  const holder = document.createElement('div'), canvas = document.createElement('canvas');
  bar.className = 'bar';
  holder.className = 'chart';
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', 'mode shape over the channels');
  choice.setAttribute('aria-label', 'mode');
  modes.forEach((mode, k) => choice.add(new Option(`mode ${k + 1}: ${mode.title}`, k)));
  const complexity = document.createElement('div');
  bar.append(choice, ...(rows.length ? [play] : []));
  holder.append(canvas);
  place.append(bar, holder, complexity);
  function showComplexity() {
    const name = `complexity-${Number(choice.value) + 1}`;
    clear(complexity);
    if (report.plots[name]) complexity.append(figureOf(name, 'square'));
  }

  let chart = null, wanted = false, running = false, visible = false, phase = 0, last = 0;
  const mode = () => modes[choice.value];
  const at = (k, angle) => numbers(mode().re)[k] * Math.cos(angle) - numbers(mode().im)[k] * Math.sin(angle);
  const size = k => Math.hypot(numbers(mode().re)[k], numbers(mode().im)[k]);
  const degrees = k => Math.round(Math.atan2(numbers(mode().im)[k], numbers(mode().re)[k]) * 180 / Math.PI);

  function rowSets() {
    return rows.flatMap((row, r) => {
      const colour = palette(r + 1), line = { borderColor: colour, backgroundColor: colour, key: r };
      const reach = sign => row.channels.map((k, p) => ({ x: p + 1, y: sign * size(k) }));
      const edge = { ...line, label: '', faint: true, showLine: true, pointRadius: 0, borderWidth: 0, backgroundColor: translucent(colour, .12) };
      return [{ ...edge, data: reach(-1), fill: false }, { ...edge, data: reach(1), fill: '-1' },
              { ...line, label: row.name, showLine: true, pointRadius: row.channels.length > 40 ? 2 : 4, borderWidth: 1.5, moving: row.channels,
                data: row.channels.map((k, p) => ({ x: p + 1, y: at(k, phase) })) }];
    });
  }
  function build() {
    if (chart) chart.destroy();
    const bars = !rows.length;
    const axes = { x: axisOf({ label: bars ? 'channel' : 'position' }), y: axisOf({ label: bars ? 'amplitude' : 'motion', range: bars ? [0, 1.1] : [-1.1, 1.1] }) };
    axes.x.ticks.precision = 0;
    if (bars) {
      axes.x.type = 'category';
      delete axes.x.ticks.callback;
    }
    chart = new Chart(canvas, {
      type: bars ? 'bar' : 'line',
      data: bars ? { labels: report.channels, datasets: [{ label: '', data: report.channels.map((name, k) => size(k)), backgroundColor: palette(1), maxBarThickness: 40 }] }
                 : { datasets: rowSets() },
      options: {
        animation: false, responsive: true, maintainAspectRatio: false, scales: axes,
        plugins: {
          legend: { display: !bars, align: 'end', onClick: toggle, labels: legendLabels() },
          tooltip: {
            filter: item => !item.dataset.faint,
            callbacks: {
              title: () => '',
              label: item => {
                const k = bars ? item.dataIndex : item.dataset.moving[item.dataIndex];
                return `${report.channels[k]}: ${shortNumber(size(k))} at ${degrees(k)}°`;
              },
            },
          },
        },
      },
    });
    charts.set('shapes', chart);
  }
  function step(now) {
    if (!running) return;
    phase += Math.min(now - last, 100) / 1000 * Math.PI; /* one cycle in two seconds */
    last = now;
    for (const set of chart.data.datasets)
      if (set.moving) set.moving.forEach((k, p) => { set.data[p].y = at(k, phase); });
    chart.update('none');
    requestAnimationFrame(step);
  }
  function go() {
    running = wanted && visible && rows.length > 0 && mode().oscillates;
    play.textContent = running ? 'stop' : 'animate';
    play.disabled = !mode().oscillates;
    last = performance.now();
    if (running) requestAnimationFrame(step);
  }
  wanted = !window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  play.onclick = () => { wanted = !running; go(); };
  choice.onchange = () => { phase = 0; build(); go(); showComplexity(); };
  document.addEventListener('redrawn', build);
  build();
  showComplexity();
  new IntersectionObserver(entries => {
    visible = entries.some(entry => entry.isIntersecting);
    go();
  }).observe(holder);
})();

/* The pole of the stabilisation diagram that was chosen: its words, what channels show of it, and its complexity plot. */
(function poles() {
  const place = document.getElementById('pole');
  if (!place) return;
  const most = 12; /* channels in the table */
  const cell = (row, tag, text) => { const c = document.createElement(tag); c.textContent = text; row.append(c); };
  function tableOf(parts) {
    const frame = document.createElement('div'), table = document.createElement('table'), head = table.insertRow();
    frame.className = 'table';
    for (const word of ['channel', 'amplitude', 'phase']) cell(head, 'th', word);
    for (const { name, size, angle } of parts.slice(0, most)) {
      const row = table.insertRow();
      for (const word of [name, shortNumber(size), `${Math.round(angle)}°`]) cell(row, 'td', word);
    }
    frame.append(table);
    return frame;
  }
  /* As the complexity plots of the modes: few channels in colours of their own. */
  function arrowsOf(re, im) {
    const named = re.length <= 6, axis = label => ({ label, log: false, range: [-1.1, 1.1] });
    const arrow = (list, k) => [0, list[k], NaN];
    const series = (kind, colour, label, x, y) => ({ kind, colour, label, x, y, width: 1.5, dashed: false, faint: false });
    const all = list => Array.from(list, (value, k) => arrow(list, k)).flat();
    return {
      title: 'Shape in the complex plane', group: '', x: axis('real part'), y: axis('imaginary part'), marks: [], notes: [],
      series: named ? Array.from(re, (value, k) => [series('line', k + 1, '', arrow(re, k), arrow(im, k)),
                                                    series('circles', k + 1, report.channels[k], [re[k]], [im[k]])]).flat()
                    : [series('line', 1, '', all(re), all(im)), series('circles', 1, '', Array.from(re), Array.from(im))],
    };
  }
  document.addEventListener('chosen', event => {
    const pole = report.poles[event.detail], re = numbers(pole.re), im = numbers(pole.im);
    const words = document.createElement('p');
    words.textContent = pole.title;
    clear(place);
    place.append(words);
    if (re.length < 2) return;
    const parts = Array.from(re, (value, k) => ({ name: report.channels[k] || `channel ${k + 1}`, size: Math.hypot(value, im[k]), angle: Math.atan2(im[k], value) * 180 / Math.PI }));
    report.plots['pole-shape'] = arrowsOf(re, im);
    const grid = document.createElement('div');
    grid.className = 'grid';
    grid.append(tableOf(parts.sort((a, b) => b.size - a.size)), figureOf('pole-shape', 'square'));
    place.append(grid);
  });
})();
