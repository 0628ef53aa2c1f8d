// A map of a quantity with a sign over two others: cells in two colours with + and - in them, the line between, a point.
(() => {
  "use strict";
  const mtl = (window.mtl = window.mtl || {});
  const { frame, options, across, down, clipped, dot, colour } = mtl.plots;
  const GLYPH = 28; // px between signs

  // Depth of a cell's colour: 0 where there is nothing to see, else rising with the root of the size.
  const depth = (value, seen, most) => (Math.abs(value) < seen ? 0 : 0.12 + 0.8 * Math.sqrt(Math.abs(value) / most));

  // Edges between the centres of cells.
  function bounds(centres, log) {
    const [to, from] = log ? [Math.log, Math.exp] : [(v) => v, (v) => v];
    const at = centres.map(to);
    const middle = at.slice(1).map((v, i) => (v + at[i]) / 2);
    return [at[0], ...middle, at.at(-1)].map(from);
  }

  function paint(plot, data, spec) {
    const { ctx } = plot;
    const most = Math.max(...data.values.flat().map(Math.abs), data.seen);
    const [xs, ys] = [bounds(data.x, spec.xLog).map((x) => Math.round(across(plot, x))), bounds(data.y, false).map((y) => Math.round(down(plot, y)))];
    data.values.forEach((column, i) => column.forEach((value, j) => {
      ctx.globalAlpha = depth(value, data.seen, most);
      ctx.fillStyle = colour(value > 0 ? "helps" : "harms");
      ctx.fillRect(xs[i], ys[j + 1], xs[i + 1] - xs[i], ys[j] - ys[j + 1]);
    }));
    ctx.globalAlpha = 1;
  }

  // Crossings of zero along the edges of a cell, in steps of the grid: pieces of the line between help and harm.
  function crossings(values, i, j) {
    const corners = [[i, j], [i + 1, j], [i + 1, j + 1], [i, j + 1]];
    return corners.flatMap(([x, y], k) => {
      const [u, v] = corners[(k + 1) % 4];
      const [from, to] = [values[x][y], values[u][v]];
      if (from > 0 === to > 0) return [];
      const part = from / (from - to);
      return [[x + part * (u - x), y + part * (v - y)]];
    });
  }

  // The line between help and harm: not around places where there is neither.
  function border(plot, { x, y, values, seen }) {
    const { ctx } = plot;
    const [xs, ys] = [x.map((v) => across(plot, v)), y.map((v) => down(plot, v))];
    const between = (list, at) => list[Math.floor(at)] + (at % 1 ? (at % 1) * (list[Math.ceil(at)] - list[Math.floor(at)]) : 0);
    ctx.strokeStyle = colour("ink");
    ctx.lineWidth = 1.5 * devicePixelRatio;
    ctx.beginPath();
    for (let i = 0; i < x.length - 1; i += 1) {
      for (let j = 0; j < y.length - 1; j += 1) {
        const around = [values[i][j], values[i + 1][j], values[i][j + 1], values[i + 1][j + 1]];
        const both = Math.max(...around) > seen / 10 && Math.min(...around) < -seen / 10;
        const points = both ? crossings(values, i, j).map(([u, v]) => [between(xs, u), between(ys, v)]) : [];
        for (let k = 0; k + 1 < points.length; k += 2) {
          ctx.moveTo(...points[k]);
          ctx.lineTo(...points[k + 1]);
        }
      }
    }
    ctx.stroke();
  }

  // A + or a - in some cells, so that the sign can be read without colours.
  function signs(plot, data) {
    const { ctx, bbox } = plot;
    const every = (list, size) => Math.max(1, Math.ceil((GLYPH * devicePixelRatio * list.length) / size));
    const [stepX, stepY] = [every(data.x, bbox.width), every(data.y, bbox.height)];
    ctx.fillStyle = colour("ink");
    ctx.font = `${14 * devicePixelRatio}px system-ui, sans-serif`;
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    for (let i = Math.floor(stepX / 2); i < data.x.length; i += stepX) {
      for (let j = Math.floor(stepY / 2); j < data.y.length; j += stepY) {
        const value = data.values[i][j];
        if (Math.abs(value) >= data.seen) ctx.fillText(value > 0 ? "+" : "−", across(plot, data.x[i]), down(plot, data.y[j]));
      }
    }
  }

  // `set` takes {x, y, values[x][y], seen, point, range, words}, or only {point, range, words} to move the point; `picked`
  // is told where a reader clicks.
  function map(spec) {
    return (box, change) => {
      let data = { x: [], y: [], values: [], seen: 0, point: [1, 1], range: { x: spec.range.x, y: spec.range.y } };
      const draw = (plot) => clipped(plot, () => {
        if (!data.values.length) return;
        paint(plot, data, spec);
        border(plot, data);
        signs(plot, data);
      });
      const point = (plot) => dot(plot, ...data.point, colour("ink"), 6);
      const more = { series: [{ show: false }], hooks: { drawClear: [draw], draw: [point] }, range: () => spec.range };
      const { place, plot } = frame(box, spec, (at) => new window.uPlot(options(at, { ...spec, grid: false }, more), [[0.1, 1], [0, 0]], at));
      plot.over.addEventListener("click", ({ offsetX, offsetY }) => {
        change(spec.picked(plot.posToVal(offsetX, "x"), plot.posToVal(offsetY, "y")));
      });
      return {
        set: (next) => {
          data = { ...data, ...next };
          place.setAttribute("aria-label", data.words);
          plot.redraw(false);
        },
      };
    };
  }

  mtl.plots.map = map;
})();
