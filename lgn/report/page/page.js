'use strict';
/* What moves in a report: pages of channels, the choice of runs, the shapes of modes. */

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
    for (const figure of grid.querySelectorAll('figure')) { watcher.unobserve(figure); forget(figure.dataset.plot); }
    grid.replaceChildren();
    const ending = Number(run.value) > 0 ? `-run-${Number(run.value) + 1}` : '';
    for (const [, k] of found.slice(first, first + perPage)) {
      const panel = document.createElement('div');
      panel.append(figureOf(`signal-${k + 1}${ending}`), figureOf(`residual-${k + 1}${ending}`, 'low'));
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
  bar.append(choice, ...(rows.length ? [play] : []));
  holder.append(canvas);
  place.append(bar, holder);

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
  choice.onchange = () => { phase = 0; build(); go(); };
  document.addEventListener('redrawn', build);
  build();
  new IntersectionObserver(entries => {
    visible = entries.some(entry => entry.isIntersecting);
    go();
  }).observe(holder);
})();
