'use strict';
/* Draws the plots of a report with Chart.js: colours of the theme, zoom by dragging, linked axes. */

const report = JSON.parse(document.getElementById('report-data').textContent);
const charts = window.lgnCharts = new Map(); /* plot name → chart, those that are drawn */
const views = new Map();  /* group → [low, high] of its x axes while zoomed */

/* A list of numbers as it stands in the page: 'd' and doubles, or 'f' and floats, in base64; or as it was made here. */
const decoded = new Map();
function numbers(index) {
  if (Array.isArray(index)) return index;
  if (!decoded.has(index)) {
    const text = report.arrays[index];
    const bytes = Uint8Array.from(atob(text.slice(1)), c => c.charCodeAt(0));
    decoded.set(index, text[0] === 'd' ? new Float64Array(bytes.buffer) : new Float32Array(bytes.buffer));
  }
  return decoded.get(index);
}

const light = ['#1c2024', '#0072b2', '#d55e00', '#009e73', '#b85d92', '#c98a00', '#2e95cf'];
const dark = ['#e8eaed', '#4aa8e0', '#ff8f57', '#35c79c', '#e5a4cb', '#f2b84b', '#8fd0f5'];
const darkScheme = window.matchMedia('(prefers-color-scheme: dark)');
let printing = false;
function palette(index) { return (darkScheme.matches && !printing ? dark : light)[index % light.length]; }
function themed(name) {
  if (printing) return { '--ink': '#000000', '--soft': '#444444', '--line': '#cccccc' }[name];
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
function translucent(colour, alpha) { return colour + Math.round(alpha * 255).toString(16).padStart(2, '0'); }

/* A number as people read it. */
function shortNumber(value) {
  if (!Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  return size !== 0 && (size < 1e-4 || size >= 1e6) ? value.toExponential(4).replace(/\.?0+e/, 'e').replace('e+', 'e')
                                                    : String(Number(value.toPrecision(5)));
}

/* A number on an axis: as many digits as tell it from its neighbours. */
function tickText(value, step) {
  const digits = value === 0 || !(step > 0) ? 1 : Math.ceil(Math.log10(Math.abs(value) / step) - 1e-9) + 1;
  const text = Number(value.toPrecision(Math.min(Math.max(digits, 1), 15))), size = Math.abs(text);
  return size !== 0 && (size < 1e-4 || size >= 1e12) ? text.toExponential().replace('e+', 'e') : String(text);
}

function ascends(x) {
  for (let k = 1; k < x.length; ++k) if (!(x[k] >= x[k - 1])) return false;
  return true;
}

/* The datasets of one series; a band takes two. */
function datasetsOf(series) {
  const colour = series.faint ? translucent(themed('--soft'), .45) : palette(series.colour);
  const x = numbers(series.x);
  const points = values => Array.from(values, (y, k) => ({ x: x[k], y }));
  const base = {
    label: series.label, key: series.colour, faint: series.faint,
    items: series.items,
    borderColor: colour, backgroundColor: colour, pointRadius: 0, pointHitRadius: 6, borderWidth: series.width,
    showLine: false, borderDash: series.dashed ? [6, 4] : [], spanGaps: false, tension: 0,
  };
  if (ascends(x)) Object.assign(base, { parsing: false });
  const lists = { ...base, data: points(numbers(series.y)) };
  switch (series.kind) {
    case 'band': {
      const area = { ...base, faint: true, label: '', borderWidth: 0, showLine: true };
      return [{ ...area, data: points(numbers(series.y)), fill: false },
              { ...area, data: points(numbers(series.high)), fill: '-1', backgroundColor: translucent(colour, .16) }];
    }
    case 'line': return [{ ...lists, showLine: true, pointStyle: 'line' }];
    case 'dots': return [{ ...lists, pointRadius: x.length > 400 ? 1.3 : 2.2, backgroundColor: translucent(colour, .6), borderWidth: 0 }];
    case 'cells': return [{ ...lists, cells: numbers(series.high), pointHitRadius: 20 }];
    case 'crosses': return [{ ...lists, pointRadius: series.items ? 4 : 6, pointStyle: 'crossRot', borderWidth: 2 }];
    default: return [{ ...lists, pointRadius: series.items ? 3 : 5, backgroundColor: 'transparent', borderWidth: series.items ? 1.2 : 1.8 }];
  }
}

function axisOf(axis) {
  return {
    type: axis.log ? 'logarithmic' : 'linear',
    min: axis.range ? axis.range[0] : undefined, max: axis.range ? axis.range[1] : undefined,
    title: { display: true, text: axis.label, color: themed('--soft') },
    grid: { color: themed('--line'), borderColor: themed('--soft'), lineWidth: .6 },
    ticks: {
      color: themed('--soft'), maxRotation: 0, autoSkipPadding: 12, maxTicksLimit: 9, includeBounds: !axis.range,
      callback(value, index, ticks) {
        if (!axis.log) return tickText(value, ticks.length > 1 ? Math.abs(ticks[1].value - ticks[0].value) : 0);
        const digits = value / 10 ** Math.floor(Math.log10(value) + 1e-9);
        return [1, 2, 5].some(d => Math.abs(digits - d) < 1e-6) ? shortNumber(value) : '';
      },
    },
  };
}

/* Marks across the plot, words inside of it, and the part that is being chosen. */
const drawings = {
  id: 'drawings',
  beforeDatasetsDraw(chart) {
    const { ctx, scales } = chart;
    for (const set of chart.data.datasets) {
      if (!set.cells) continue;
      set.data.forEach(({ x, y }, k) => {
        const left = scales.x.getPixelForValue(x - .5), right = scales.x.getPixelForValue(x + .5);
        const top = scales.y.getPixelForValue(y + .5), bottom = scales.y.getPixelForValue(y - .5);
        ctx.fillStyle = translucent(set.borderColor, Math.min(Math.max(set.cells[k], 0), 1));
        ctx.fillRect(left, top, right - left, bottom - top);
      });
    }
  },
  afterDatasetsDraw(chart) {
    const { ctx, chartArea: area, scales, plot } = chart;
    if (!plot) return;
    ctx.save();
    ctx.font = '11px system-ui, sans-serif';
    ctx.fillStyle = themed('--soft');
    ctx.strokeStyle = themed('--soft');
    for (const note of plot.notes || []) {
      const x = scales.x.getPixelForValue(note.x), y = scales.y.getPixelForValue(note.y);
      if (x >= area.left && x < area.right && y > area.top + 8 && y <= area.bottom) {
        ctx.textAlign = x > area.right - 70 ? 'right' : 'left';
        ctx.fillText(note.text, x + (ctx.textAlign === 'right' ? -3 : 3), y - 3);
      }
    }
    for (const mark of plot.marks || []) {
      const x = scales.x.getPixelForValue(mark.x);
      if (x < area.left || x > area.right) continue;
      ctx.setLineDash([4, 3]);
      ctx.beginPath();
      ctx.moveTo(x, area.top);
      ctx.lineTo(x, area.bottom);
      ctx.stroke();
      ctx.textAlign = x > area.right - 70 ? 'right' : 'left';
      ctx.fillText(mark.label, x + (ctx.textAlign === 'right' ? -4 : 4), area.top + 12);
    }
    const drag = chart.dragged;
    if (drag) {
      ctx.setLineDash([]);
      ctx.fillStyle = translucent(palette(1), .2);
      ctx.fillRect(drag.x0, drag.y0, drag.x1 - drag.x0, drag.y1 - drag.y0);
    }
    ctx.restore();
  },
};

/* Shows [low, high] of both axes; null: everything. All plots of a group follow in x. */
function show(chart, x, y) {
  const set = (one, axis, range) => {
    const given = one.plot[axis].range, scale = one.options.scales[axis];
    scale.min = range ? range[0] : given ? given[0] : undefined;
    scale.max = range ? range[1] : given ? given[1] : undefined;
  };
  const group = chart.plot.group;
  if (group) views.set(group, x);
  for (const one of group ? charts.values() : [chart]) {
    if (one !== chart && (!one.plot || one.plot.group !== group)) continue;
    set(one, 'x', x);
    set(one, 'y', one === chart ? y : null);
    one.resetButton.hidden = !x;
    one.update('none');
  }
}

/* Dragging chooses what is shown: a part of the time, or a rectangle of a plane. */
function addZoom(chart, canvas) {
  const inArea = (value, low, high) => Math.min(Math.max(value, low), high);
  const rectangle = event => {
    const box = canvas.getBoundingClientRect(), area = chart.chartArea;
    const x = inArea(event.clientX - box.left, area.left, area.right);
    const y = inArea(event.clientY - box.top, area.top, area.bottom);
    return { x, y };
  };
  let start = null;
  canvas.addEventListener('pointerdown', event => {
    if (event.button !== 0) return;
    start = rectangle(event);
  });
  canvas.addEventListener('pointermove', event => {
    if (!start || !(event.buttons & 1)) return;
    const end = rectangle(event), area = chart.chartArea, whole = Boolean(chart.plot.group);
    chart.dragged = { x0: start.x, x1: end.x, y0: whole ? area.top : start.y, y1: whole ? area.bottom : end.y };
    chart.draw();
  });
  const end = event => {
    const drag = chart.dragged;
    start = chart.dragged = null;
    if (!drag) return;
    const { x, y } = chart.scales;
    const range = (scale, a, b) => [scale.getValueForPixel(a), scale.getValueForPixel(b)].sort((p, q) => p - q);
    const wide = Math.abs(drag.x1 - drag.x0) > 8, high = chart.plot.group || Math.abs(drag.y1 - drag.y0) > 8;
    if (event.type === 'pointerup' && wide && high) show(chart, range(x, drag.x0, drag.x1), chart.plot.group ? null : range(y, drag.y0, drag.y1));
    else chart.draw();
  };
  canvas.addEventListener('pointerup', end);
  canvas.addEventListener('pointercancel', end);
  canvas.addEventListener('pointerleave', end);
  canvas.addEventListener('dblclick', () => show(chart, null, null));
}

/* Choosing an entry of the legend hides everything of its colour, and shows it again. */
function toggle(event, item, legend) {
  const chart = legend.chart, key = chart.data.datasets[item.datasetIndex].key;
  const visible = !chart.isDatasetVisible(item.datasetIndex);
  chart.data.datasets.forEach((set, k) => {
    if (k === item.datasetIndex || (set.key === key && !set.label)) chart.setDatasetVisibility(k, visible);
  });
  chart.update('none');
}

const legendLabels = () => ({
  color: themed('--ink'), usePointStyle: true, boxWidth: 18, boxHeight: 7, filter: item => Boolean(item.text),
  sort: (a, b) => a.datasetIndex - b.datasetIndex,
});

/* What a pointer over a point shows. */
function pointWords(plot, item) {
  const set = item.dataset, k = item.dataIndex;
  if (set.items) return report.poles[set.items[k]].title;
  const words = `${shortNumber(item.parsed.x)}, ${shortNumber(item.parsed.y)}`;
  return set.cells ? `${words}: ${shortNumber(set.cells[k])}` : `${set.label || plot.y.label}: ${words}`;
}

function optionsOf(plot, low) {
  const scales = { x: axisOf(plot.x), y: axisOf(plot.y) };
  const counts = series => series.kind !== 'line' && numbers(series.x).length > 0 && numbers(series.x).every(Number.isInteger);
  if (!plot.group && plot.series.some(counts)) scales.x.ticks.precision = 0;
  if (plot.series.some(series => series.kind === 'cells')) scales.y.ticks.precision = 0;
  if (low) scales.x.title.display = false;
  return {
    animation: false, responsive: true, maintainAspectRatio: false, normalized: true,
    interaction: { mode: 'nearest', intersect: true },
    onClick: (event, elements, chart) => {
      const chosen = elements.map(({ datasetIndex, index }) => (chart.data.datasets[datasetIndex].items || [])[index]);
      const item = chosen.find(one => one !== undefined);
      if (item !== undefined) document.dispatchEvent(new CustomEvent('chosen', { detail: item }));
    },
    scales,
    plugins: {
      legend: {
        display: !low && plot.series.some(series => series.label), align: 'end', onClick: toggle, labels: legendLabels(),
      },
      tooltip: {
        filter: item => !item.dataset.faint,
        callbacks: { title: () => '', label: item => pointWords(plot, item) },
      },
    },
  };
}

/* Draws a plot into its figure: <figure data-plot='name'>. */
function draw(figure) {
  const name = figure.dataset.plot, plot = report.plots[name];
  if (charts.has(name) || !plot) return;
  const canvas = figure.querySelector('canvas');
  const chart = new Chart(canvas, { type: 'line', data: { datasets: [] }, options: optionsOf(plot, canvas.parentNode.classList.contains('low')), plugins: [drawings] });
  chart.plot = plot;
  chart.resetButton = figure.querySelector('button');
  chart.resetButton.onclick = () => show(chart, null, null);
  chart.data.datasets = plot.series.flatMap(datasetsOf);
  chart.data.datasets.forEach((set, k) => { set.order = (set.faint ? 1000 : 0) - k; }); /* the first at the bottom */
  const view = plot.group && views.get(plot.group);
  if (view) [chart.options.scales.x.min, chart.options.scales.x.max] = view;
  chart.resetButton.hidden = !view;
  charts.set(name, chart);
  addZoom(chart, canvas);
  chart.update('none');
}

function forget(name) {
  if (!charts.has(name)) return;
  charts.get(name).destroy();
  charts.delete(name);
}

/* A figure that is still empty, for a plot of the report. */
function figureOf(name, size) {
  const figure = document.createElement('figure');
  figure.dataset.plot = name;
  prepare(figure, size);
  return figure;
}

function prepare(figure, size) {
  const plot = report.plots[figure.dataset.plot];
  const caption = document.createElement('figcaption'), words = document.createElement('span');
  const reset = document.createElement('button'), holder = document.createElement('div');
  const canvas = document.createElement('canvas');
  words.textContent = plot.title;
  reset.textContent = 'show all';
  reset.hidden = true;
  caption.append(words, reset);
  holder.className = 'chart ' + (size || figure.dataset.size || '');
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', `${plot.title}: ${plot.y.label} over ${plot.x.label}`);
  holder.append(canvas);
  figure.append(caption, holder);
  watcher.observe(figure);
}

/* Plots are drawn when they come near the window. */
const watcher = new IntersectionObserver(entries => {
  for (const entry of entries) if (entry.isIntersecting) draw(entry.target);
}, { rootMargin: '600px' });

/* All in the colours of the theme, or of paper. */
function redraw() {
  for (const figure of document.querySelectorAll('figure[data-plot]')) {
    if (!printing && !charts.has(figure.dataset.plot)) continue;
    forget(figure.dataset.plot);
    draw(figure);
  }
  document.dispatchEvent(new Event('redrawn'));
}
Chart.defaults.font.family = 'system-ui, sans-serif';
Chart.defaults.font.size = 12;
darkScheme.addEventListener('change', redraw);
window.addEventListener('beforeprint', () => { printing = true; redraw(); });
window.addEventListener('afterprint', () => { printing = false; redraw(); });
for (const figure of document.querySelectorAll('figure[data-plot]')) prepare(figure);
