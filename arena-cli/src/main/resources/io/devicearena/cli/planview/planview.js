'use strict';
(() => {
  const $ = id => document.getElementById(id);

  window.addEventListener('error', event => {
    const fault = $('fault');
    fault.hidden = false;
    fault.textContent += `${event.message} (line ${event.lineno})\n`;
  });

  // ---------------------------------------------------------------- data

  /*
   * Bytes and steps are 64-bit integers in the plan, and JavaScript's numbers are exact up to 2^53 - 1. Larger ones arrive
   * as strings. So each column has two forms. The exact one, of numbers and BigInts, is for text and comparisons. The
   * rounded one, a Float64Array, is for drawing, where rounding is always less than a pixel. Rounded steps count from the
   * first step, since steps may be nanoseconds of a clock.
   */
  const data = JSON.parse($('data').textContent);
  const count = data.id.length;
  for (const column of ['id', 'lower', 'upper', 'offset', 'size']) {
    data[column] = data[column].map(raw => typeof raw === 'string' ? BigInt(raw) : raw);
  }
  const difference = (a, b) => typeof a === 'number' && typeof b === 'number' ? a - b : BigInt(a) - BigInt(b);
  const firstStep = count ? data.lower.reduce((a, b) => b < a ? b : a) : 0;
  const lastStep = count ? data.upper.reduce((a, b) => b > a ? b : a) : 0;
  const sinceFirst = step => Number(difference(step, firstStep));
  const lower = Float64Array.from(data.lower, sinceFirst);
  const upper = Float64Array.from(data.upper, sinceFirst);
  const offset = Float64Array.from(data.offset, Number);
  const size = Float64Array.from(data.size, Number);
  const end = offset.map((start, i) => start + size[i]);
  const role = Uint8Array.from(data.role);
  const arena = Number(data.arena);
  const bound = Number(data.bound);
  const large = end.some(value => value > Number.MAX_SAFE_INTEGER);

  const parentOf = new Map(); // index of a view -> index of its parent, -1 if the plan does not have it
  const viewsOf = new Map(); // index of a parent -> indices of its views
  const overwrittenBy = new Map(); // index of an input -> index of the value that an op wrote in its place
  const inPlaceOf = new Map(); // the other way round
  if (data.viewPlace.length + data.inPlace.length > 0) {
    const places = new Map(data.id.map((id, i) => [String(id), i]));
    data.inPlace.forEach((value, k) => {
      const input = places.get(String(data.inPlaceOf[k]));
      if (input !== undefined) {
        inPlaceOf.set(value, input);
        overwrittenBy.set(input, value);
      }
    });
    data.viewPlace.forEach((view, k) => {
      const parent = places.get(String(data.viewParent[k])) ?? -1;
      parentOf.set(view, parent);
      if (parent >= 0) {
        if (!viewsOf.has(parent)) {
          viewsOf.set(parent, []);
        }
        viewsOf.get(parent).push(view);
      }
    });
  }

  const most = values => values.reduce((a, b) => Math.max(a, b), -Infinity);
  const span = Math.max(sinceFirst(lastStep), 1);
  const topByte = Math.max(arena, count ? most(end) : 0, 1);

  const segmentEnds = data.segmentEnds.map(raw => typeof raw === 'string' ? BigInt(raw) : raw);
  const segments = segmentEnds.length;

  const endExact = i => large ? BigInt(data.offset[i]) + BigInt(data.size[i]) : end[i];
  const isAlive = i => data.upper[i] !== data.lower[i];
  const isBox = i => isAlive(i) && size[i] > 0;
  const shapeOf = i => data.shapes[data.shape[i]];
  const typeOf = i => data.dtypes[data.dtype[i]];
  const roleOf = i => data.roles[role[i]];
  const nameOf = i => data.name[i].trim() === '' ? `value ${data.id[i]}` : data.name[i];

  const meet = (i, j) => large
    ? BigInt(data.offset[i]) < endExact(j) && BigInt(data.offset[j]) < endExact(i)
    : offset[i] < end[j] && offset[j] < end[i];

  // ---------------------------------------------------------------- text

  const digits = exact => (typeof exact === 'string' ? BigInt(exact) : exact).toLocaleString('en-US');
  /** A step, given as its distance from the first one. */
  const stepText = after => digits(Number.isSafeInteger(firstStep) && Number.isSafeInteger(firstStep + after)
    ? firstStep + after : BigInt(firstStep) + BigInt(Math.round(after)));
  const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];

  function human(bytes) {
    let scaled = Number(bytes);
    let unit = 0;
    while (Math.abs(scaled) >= 1023.5 && unit < UNITS.length - 1) {
      scaled /= 1024;
      unit++;
    }
    const places = unit === 0 || scaled >= 99.95 ? 0 : scaled >= 9.995 ? 1 : 2;
    return `${scaled.toFixed(places)} ${UNITS[unit]}`;
  }

  const bytesText = raw => `${digits(raw)} ${Number(raw) === 1 ? 'byte' : 'bytes'}`;
  const plural = (number, noun) => `${digits(number)} ${noun}${Number(number) === 1 ? '' : 's'}`;

  function percent(part, whole) {
    const share = Number(whole) === 0 ? 0 : 100 * Number(part) / Number(whole);
    if (share > 0 && share < 0.01) {
      return 'less than 0.01 %';
    }
    if (share > 99.99 && share < 100) {
      return 'more than 99.99 %';
    }
    return `${share.toFixed(share < 1 || share > 99 ? 2 : 1)} %`;
  }

  /** A long name, shortened. Names of one model tend to begin alike, so mostly the end is kept. */
  const shortened = name => name.length > 150 ? `${name.slice(0, 50)}\u2026${name.slice(-90)}` : name;
  /** A name inside a sentence, isolated so that it does not change the direction of the text. */
  const inWords = name => `\u2068${shortened(name)}\u2069`;

  function rangeText(i) {
    return isAlive(i)
      ? `[${digits(data.lower[i])}, ${digits(data.upper[i])})`
      : `at ${digits(data.lower[i])}`;
  }

  function rangeLength(i) {
    return isAlive(i) ? plural(difference(data.upper[i], data.lower[i]), 'step') : 'no live range of its own';
  }

  function el(tag, properties, ...children) {
    const element = document.createElement(tag);
    for (const [key, value] of Object.entries(properties ?? {})) {
      if (key in element && key !== 'role') {
        element[key] = value;
      } else {
        element.setAttribute(key, value);
      }
    }
    element.append(...children); // strings become text, never markup
    return element;
  }

  function swatch(place) {
    const box = el('span', {className: data.roles[place] === 'view' ? 'swatch outline' : 'swatch', 'aria-hidden': 'true'});
    box.style.background = `var(--${data.roles[place]})`;
    return box;
  }

  // ---------------------------------------------------------------- live bytes

  /** Compares indices by a column of numbers. */
  const by = column => (i, j) => column[i] < column[j] ? -1 : column[i] > column[j] ? 1 : 0;

  /** The load as a step function, and its peak; steps and sums are exact. */
  function liveBytes() {
    const boxes = Uint32Array.from({length: count}, (unused, i) => i).filter(isBox);
    const starts = boxes.slice().sort(by(data.lower));
    const ends = boxes.slice().sort(by(data.upper));
    const total = size.reduce((sum, bytes) => sum + bytes, 0);
    const exact = total > Number.MAX_SAFE_INTEGER ? i => BigInt(data.size[i]) : i => size[i];
    const zero = total > Number.MAX_SAFE_INTEGER ? 0n : 0;
    const steps = [];
    const bytes = [];
    let live = zero;
    let peak = zero;
    let peakAt = 0;
    let peakStep = firstStep;
    for (let s = 0, e = 0; e < ends.length;) {
      const begins = s < starts.length && data.lower[starts[s]] < data.upper[ends[e]];
      const step = begins ? data.lower[starts[s]] : data.upper[ends[e]];
      for (; e < ends.length && data.upper[ends[e]] === step; e++) {
        live -= exact(ends[e]);
      }
      for (; s < starts.length && data.lower[starts[s]] === step; s++) {
        live += exact(starts[s]);
      }
      if (live > peak) {
        peak = live;
        peakAt = steps.length;
        peakStep = step;
      }
      steps.push(sinceFirst(step));
      bytes.push(Number(live));
    }
    let unshared = zero; // includes views, like totalUnsharedBytes of the plan
    for (let i = 0; i < count; i++) {
      unshared += exact(i);
    }
    return {steps: Float64Array.from(steps), bytes: Float64Array.from(bytes), peak, peakAt, peakStep, unshared};
  }

  const live = liveBytes();
  const gap = difference(data.arena, data.bound);

  /** The index of the last entry of a sorted column that is at most a value; -1 if there is none. */
  function lastAtMost(column, value) {
    let low = -1;
    for (let high = column.length - 1; low < high;) {
      const middle = (low + high + 1) >> 1;
      if (column[middle] <= value) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /** The segment of a byte, from 1; that of the next byte if one ends there. */
  const segmentAt = byte => Math.min(segments, lastAtMost(segmentEnds, byte) + 2);

  /** The segments that hold a value, for example 2, or 2 to 4. */
  function segmentsText(i) {
    const first = segmentAt(data.offset[i]);
    const last = size[i] === 0 ? first
      : Math.max(first, segmentAt(large ? BigInt(endExact(i)) - 1n : end[i] - 1));
    return first === last ? digits(first) : `${digits(first)} to ${digits(last)}`;
  }

  const liveAt = step => live.bytes[lastAtMost(live.steps, step)] ?? 0;

  // ---------------------------------------------------------------- state

  const home = {t0: 0, t1: span, a0: 0, a1: topByte * 1.04};
  const view = {...home};
  const shown = new Array(data.roles.length).fill(true);
  let hovered = -1;
  let pinned = -1;
  let pointer = null;
  let query = '';
  let matching = null; // Uint8Array: which values the search found
  let matches = null; // their indices, in order

  // ---------------------------------------------------------------- coordinates

  const base = $('base');
  const overlay = $('overlay');
  const plot = $('plot');
  const ink = base.getContext('2d', {alpha: false});
  const glass = overlay.getContext('2d');
  const FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';
  const TOP = 26;
  const RIGHT = 18;
  const BETWEEN = 30;
  const CURVE = 120;
  const BOTTOM = 28;
  const area = {left: 64, top: TOP, width: 0, height: 0, curveTop: 0, curveHeight: CURVE, ratio: 1};

  const xOf = step => area.left + (step - view.t0) / (view.t1 - view.t0) * area.width;
  const yOf = byte => area.top + area.height - (byte - view.a0) / (view.a1 - view.a0) * area.height;
  const stepAt = x => view.t0 + (x - area.left) / area.width * (view.t1 - view.t0);
  const byteAt = y => view.a0 + (area.top + area.height - y) / area.height * (view.a1 - view.a0);
  const curveMost = Math.max(arena, bound, Number(live.peak), 1) * 1.28;
  const yOfLive = bytes => area.curveTop + area.curveHeight * (1 - bytes / curveMost);

  function measure() {
    const box = plot.getBoundingClientRect();
    area.ratio = window.devicePixelRatio || 1;
    const width = Math.max(1, Math.round(plot.clientWidth * area.ratio));
    const height = Math.max(1, Math.round(plot.clientHeight * area.ratio));
    for (const canvas of [base, overlay]) {
      if (canvas.width !== width || canvas.height !== height) {
        canvas.width = width;
        canvas.height = height;
      }
    }
    area.width = Math.max(40, plot.clientWidth - area.left - RIGHT);
    area.height = Math.max(40, plot.clientHeight - TOP - BETWEEN - CURVE - BOTTOM);
    area.curveTop = TOP + area.height + BETWEEN;
    return box;
  }

  // ---------------------------------------------------------------- colours

  const colours = {};
  const LITTLE_ENDIAN = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

  const packed = ([r, g, b]) => (LITTLE_ENDIAN
    ? (255 << 24) | (b << 16) | (g << 8) | r
    : (r << 24) | (g << 16) | (b << 8) | 255) >>> 0;
  const mix = (a, b, share) => a.map((value, i) => Math.round(value + (b[i] - value) * share));
  const linear = value => value <= 10 ? value / 3295 : ((value / 255 + 0.055) / 1.055) ** 2.4; // sRGB, as WCAG 2 has it
  const luminance = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);

  function readColours() {
    const style = getComputedStyle(document.documentElement);
    const value = name => style.getPropertyValue(`--${name}`).trim();
    const channels = name => [1, 3, 5].map(at => parseInt(value(name).slice(at, at + 2), 16));
    for (const name of ['panel', 'free', 'line', 'text', 'quiet', 'accent', 'peak', 'op']) {
      colours[name] = value(name);
    }
    const free = channels('free');
    colours.outside = packed(channels('panel'));
    colours.unused = packed(free);
    colours.fill = new Uint32Array(data.roles.length * 3);
    colours.dim = new Uint32Array(data.roles.length * 3);
    colours.label = [];
    data.roles.forEach((name, place) => {
      const full = channels(name);
      [mix(full, [0, 0, 0], 0.1), full, mix(full, [255, 255, 255], 0.1)].forEach((shade, k) => {
        colours.fill[place * 3 + k] = packed(shade);
        colours.dim[place * 3 + k] = packed(mix(shade, free, 0.8));
        // on this luminance black and white have the same contrast, 4.58 to 1
        colours.label.push(luminance(shade) > 0.179 ? '#000000' : '#ffffff');
      });
    });
  }

  const shadeOf = i => role[i] * 3 + (Math.imul(i + 1, 0x9E3779B1) >>> 8) % 3;

  // ---------------------------------------------------------------- the boxes

  const tiny = new Uint32Array(count);
  let image = null;
  let pixels = null;

  /**
   * Paints the boxes into an image, pixel by pixel. Values that are live together share no bytes, so boxes do not overlap,
   * and the work is bounded by the pixels plus the boxes in view. A box smaller than a pixel is painted last and takes one
   * pixel, so that it stays visible.
   */
  function paintBoxes(labels, outlines) {
    const ratio = area.ratio;
    const left = Math.round(area.left * ratio);
    const top = Math.round(area.top * ratio);
    const width = Math.max(1, Math.round((area.left + area.width) * ratio) - left);
    const height = Math.max(1, Math.round((area.top + area.height) * ratio) - top);
    if (!image || image.width !== width || image.height !== height) {
      image = ink.createImageData(width, height);
      pixels = new Uint32Array(image.data.buffer);
    }
    const {t0, t1, a0, a1} = view;
    const scaleX = width / (t1 - t0);
    const scaleY = height / (a1 - a0);
    const roof = Math.min(height, Math.max(0, height - Math.round((arena - a0) * scaleY)));
    pixels.fill(colours.outside, 0, roof * width);
    pixels.fill(colours.unused, roof * width);

    const paint = (i, thin) => {
      let x0 = Math.max(0, Math.round((lower[i] - t0) * scaleX));
      let x1 = Math.min(width, Math.round((upper[i] - t0) * scaleX));
      let y0 = Math.max(0, height - Math.round((end[i] - a0) * scaleY));
      let y1 = Math.min(height, height - Math.round((offset[i] - a0) * scaleY));
      if (x1 <= x0 || y1 <= y0) {
        if (!thin) {
          return false;
        }
        if (x1 <= x0) {
          x0 = Math.min(x0, width - 1);
          x1 = x0 + 1;
        }
        if (y1 <= y0) {
          y0 = Math.min(y0, height - 1);
          y1 = y0 + 1;
        }
      }
      if (x1 - x0 >= 5) {
        x1--; // a line of the background separates neighbours
      }
      if (y1 - y0 >= 5) {
        y0++;
      }
      const found = !matching || matching[i] === 1;
      const colour = found ? colours.fill[shadeOf(i)] : colours.dim[shadeOf(i)];
      if (x1 - x0 < 12) {
        for (let row = y0 * width; row < y1 * width; row += width) {
          for (let at = row + x0; at < row + x1; at++) {
            pixels[at] = colour;
          }
        }
      } else {
        for (let row = y0 * width; row < y1 * width; row += width) {
          pixels.fill(colour, row + x0, row + x1);
        }
      }
      if (x1 - x0 >= 30 * ratio && y1 - y0 >= 15 * ratio && labels.length < 1200) {
        labels.push({i, found, x: (left + x0) / ratio, y: (top + y0) / ratio, w: (x1 - x0) / ratio, h: (y1 - y0) / ratio});
      }
      return true;
    };

    let tinyCount = 0;
    for (let i = 0; i < count; i++) {
      if (!shown[role[i]] || end[i] < a0 || offset[i] > a1 || upper[i] < t0 || lower[i] > t1) {
        continue;
      }
      if (isBox(i)) {
        if (!paint(i, false)) {
          tiny[tinyCount++] = i;
        }
      } else if (size[i] > 0 && outlines.length < 3000) {
        outlines.push(i);
      }
    }
    for (let k = 0; k < tinyCount; k++) {
      paint(tiny[k], true);
    }
    ink.putImageData(image, left, top);
  }

  function drawLabels(labels) {
    ink.font = FONT;
    ink.textBaseline = 'top';
    ink.textAlign = 'left';
    for (const {i, found, x, y, w, h} of labels) {
      ink.fillStyle = found ? colours.label[shadeOf(i)] : colours.text;
      const name = fitted(nameOf(i), w - 10);
      if (name) {
        const two = h >= 34;
        ink.fillText(name, x + 5, two || h >= 22 ? y + 4 : y + (h - 12) / 2);
        const bytes = two ? human(data.size[i]) : '';
        if (two && bytes.length * 6.6 < w - 10) {
          ink.fillText(bytes, x + 5, y + 19);
        }
      }
    }
  }

  /** A name cut to a width. The end is kept, since names of one model tend to begin alike. */
  function fitted(name, width) {
    if (name.length * 8 <= width || ink.measureText(name).width <= width) {
      return name;
    }
    let keep = Math.floor(width / 6.6) - 1;
    for (; keep > 3; keep--) {
      const cut = `\u2026${name.slice(-keep)}`;
      if (ink.measureText(cut).width <= width) {
        return cut;
      }
    }
    return '';
  }

  const OUTLINE_LEAST = 6; // pixels; smaller ones would be crumbs

  /** A view has no live range of its own: it is drawn one step wide, at its step, inside its parent's bytes. */
  function outlineOf(i) {
    const x = xOf(lower[i]);
    const y = yOf(end[i]);
    return {x: x + 2, y: y + 2, w: xOf(Math.max(upper[i], lower[i] + 1)) - x - 5, h: yOf(offset[i]) - y - 4};
  }

  function drawOutlines(outlines) {
    ink.save();
    ink.beginPath();
    ink.rect(area.left, area.top, area.width, area.height);
    ink.clip();
    ink.lineWidth = 1;
    ink.beginPath();
    for (const i of outlines) {
      const {x, y, w, h} = outlineOf(i);
      if (w >= OUTLINE_LEAST && h >= OUTLINE_LEAST) {
        ink.rect(Math.round(x) + 0.5, Math.round(y) + 0.5, Math.round(w), Math.round(h));
      }
    }
    ink.strokeStyle = colours.panel; // beneath the dashes, so that they are seen on every role's colour
    ink.stroke();
    ink.strokeStyle = colours.text;
    ink.setLineDash([3, 3]);
    ink.stroke();
    ink.restore();
  }

  // ---------------------------------------------------------------- axes and curve

  /** The smallest round decimal step, 1 or more, that divides a span into at most a given number of intervals. */
  function decimalStep(span, pieces) {
    const raw = Math.max(1, span / pieces);
    const power = 10 ** Math.floor(Math.log10(raw));
    return [1, 2, 5, 10].map(factor => factor * power).find(step => step >= raw * 0.999);
  }

  /** Ticks of bytes are multiples of a power of two, printed in the largest unit that leaves them whole or in quarters. */
  function byteTicks() {
    const raw = Math.max(1, (view.a1 - view.a0) / Math.max(2, area.height / 62));
    const step = 2 ** Math.ceil(Math.log2(raw) - 1e-9);
    let unit = Math.min(UNITS.length - 1, Math.floor(Math.log2(step) / 10));
    let places = 0;
    const quarters = step / 1024 ** (unit + 1) * 4;
    if (quarters >= 1 && unit < UNITS.length - 1 && view.a1 >= 1024 ** (unit + 1)) {
      unit++;
      places = quarters === 1 ? 2 : 1;
    }
    const label = at => (at / 1024 ** unit).toLocaleString('en-US', {minimumFractionDigits: places, maximumFractionDigits: places});
    const ticks = [];
    for (let at = Math.ceil(view.a0 / step) * step; at <= view.a1; at += step) {
      ticks.push({at, label: at === 0 ? '0' : `${label(at)} ${UNITS[unit]}`});
      if (at + step === at) {
        break;
      }
    }
    return ticks;
  }

  function halo(text, x, y, colour) {
    ink.lineWidth = 4;
    ink.lineJoin = 'round';
    ink.strokeStyle = colours.panel;
    ink.strokeText(text, x, y);
    ink.fillStyle = colour;
    ink.fillText(text, x, y);
  }

  function line(x0, y0, x1, y1, colour, dash = [], width = 1) {
    ink.save();
    ink.strokeStyle = colour;
    ink.lineWidth = width;
    ink.setLineDash(dash);
    ink.beginPath();
    ink.moveTo(x0, y0);
    ink.lineTo(x1, y1);
    ink.stroke();
    ink.restore();
  }

  /** The x coordinate of the peak: the middle of the visible steps with the largest load. */
  function peakX() {
    const peakEnd = live.steps[live.peakAt + 1] ?? span;
    return xOf((Math.max(live.steps[live.peakAt] ?? 0, Math.min(view.t0, peakEnd)) + peakEnd) / 2);
  }

  const crisp = value => Math.round(value) + 0.5;

  function drawAxes(ticks) {
    const right = area.left + area.width;
    const floor = area.top + area.height;
    ink.font = FONT;
    ink.textBaseline = 'middle';
    ink.textAlign = 'right';
    for (const {at, label} of ticks) {
      const y = crisp(yOf(at));
      line(area.left - 5, y, area.left, y, colours.quiet);
      ink.fillStyle = colours.quiet;
      ink.fillText(label, area.left - 9, Math.min(y, floor - 2));
    }
    line(area.left - 0.5, area.top, area.left - 0.5, floor, colours.line);
    line(area.left, floor + 0.5, right, floor + 0.5, colours.line);

    const bottom = area.curveTop + area.curveHeight;
    ink.textAlign = 'left';
    ink.fillText('Step', 12, bottom + 14);
    let clear = 12 + ink.measureText('Step').width + 8; // where the next number may begin
    const widest = Math.max(72, ink.measureText(stepText(view.t1)).width) + 24;
    const step = decimalStep(view.t1 - view.t0, Math.max(1, area.width / widest));
    const beyond = Number(BigInt(firstStep) % BigInt(step)); // the numbers are round, not how far they are from the first step
    ink.textAlign = 'center';
    for (let at = Math.ceil((view.t0 + beyond) / step) * step - beyond; at <= view.t1 && at + step !== at; at += step) {
      const x = crisp(xOf(at));
      line(x, bottom, x, bottom + 5, colours.quiet);
      line(x, floor, x, floor + 4, colours.line);
      ink.fillStyle = colours.quiet;
      const text = stepText(at);
      const half = ink.measureText(text).width / 2;
      const middle = Math.min(x, area.left + area.width + RIGHT - half - 4);
      if (middle - half >= clear) {
        ink.fillText(text, middle, bottom + 14);
        clear = middle + half + 8;
      }
    }
    ink.textAlign = 'left';
    ink.fillText('Offset', 12, 13);

    const worst = peakX();
    if (live.steps.length && worst >= area.left && worst <= right) {
      line(crisp(worst), area.top, crisp(worst), floor, colours.panel, [], 3); // seen on every colour
      line(crisp(worst), area.top, crisp(worst), floor, colours.peak, [4, 2]);
    }
    drawSegmentEnds();
    const roof = yOf(arena);
    if (roof >= area.top - 1 && roof <= floor) {
      line(area.left, crisp(roof), right, crisp(roof), colours.text);
      ink.textAlign = 'right';
      ink.textBaseline = 'bottom';
      halo(`arena ${human(data.arena)}`, right, roof - 3, colours.text);
    }
  }

  const CLOSEST_ENDS = 6; // pixels; where ends of segments are closer, they would hide the boxes

  /** The ends of segments in view, as lines with labels. The last segment ends with the arena, which has its own line. */
  function drawSegmentEnds() {
    const first = lastAtMost(segmentEnds, view.a0) + 1;
    const after = Math.min(segments - 1, lastAtMost(segmentEnds, view.a1) + 1);
    const right = area.left + area.width;
    ink.textAlign = 'right';
    ink.textBaseline = 'middle';
    if ((after - first) * CLOSEST_ENDS > area.height) {
      ink.fillStyle = colours.quiet;
      ink.fillText(`${digits(after - first)} segments end in this range; zoom in to see where`, right, 13);
      return;
    }
    let clear = Infinity; // where the next label may be, going up
    for (let k = first; k < after; k++) {
      const y = crisp(yOf(Number(segmentEnds[k])));
      line(area.left, y, right, y, colours.panel, [], 4); // seen on every colour
      line(area.left - 9, y, right, y, colours.text, [10, 4], 1.5);
      if (y + 20 < Math.min(clear, area.top + area.height)) {
        const text = `segment ${digits(k + 1)} of ${digits(segments)} ends at ${human(segmentEnds[k])}`;
        const width = ink.measureText(text).width;
        ink.fillStyle = colours.panel; // seen on every colour
        ink.fillRect(right - width - 12, y + 3, width + 10, 16);
        ink.fillStyle = colours.text;
        ink.fillText(text, right - 7, y + 11.5);
        clear = y;
      }
    }
  }

  function drawCurve() {
    const {left, width, curveTop, curveHeight} = area;
    const right = left + width;
    const bottom = curveTop + curveHeight;
    ink.save();
    ink.beginPath();
    ink.rect(left, curveTop - 2, width, curveHeight + 2);
    ink.clip();

    // One entry for each pixel column: the maximum of its steps, so that no peak is lost.
    const columns = Math.max(1, Math.round(width * area.ratio));
    const {steps, bytes} = live;
    const tops = new Float64Array(columns);
    let at = Math.max(0, lastAtMost(steps, view.t0));
    for (let column = 0; column < columns; column++) {
      const until = view.t0 + (column + 1) / columns * (view.t1 - view.t0);
      let high = steps.length && steps[at] < until ? bytes[at] : 0;
      while (at + 1 < steps.length && steps[at + 1] < until) {
        at++;
        high = Math.max(high, bytes[at]);
      }
      tops[column] = yOfLive(high);
    }
    ink.beginPath();
    ink.moveTo(left, bottom);
    for (let column = 0; column < columns; column++) {
      ink.lineTo(left + column / area.ratio, tops[column]);
      ink.lineTo(left + (column + 1) / area.ratio, tops[column]);
    }
    ink.lineTo(right, bottom);
    ink.globalAlpha = 0.22;
    ink.fillStyle = colours.op;
    ink.fill();
    ink.globalAlpha = 1;
    ink.strokeStyle = colours.op;
    ink.lineWidth = 1.25;
    ink.stroke();

    // The gap between the lower bound and the arena.
    const arenaY = crisp(yOfLive(arena));
    const boundY = crisp(yOfLive(bound));
    if (arena > bound) {
      ink.globalAlpha = 0.14;
      ink.fillStyle = colours.peak;
      ink.fillRect(left, arenaY, width, boundY - arenaY);
      ink.globalAlpha = 1;
    }
    line(left, boundY, right, boundY, colours.quiet, [5, 3]);
    line(left, arenaY, right, arenaY, colours.text);
    ink.restore();

    ink.font = FONT;
    ink.textAlign = 'right';
    ink.textBaseline = 'bottom';
    const upperY = Math.min(arenaY, boundY) - 3;
    const both = arena === bound;
    const reached = both ? `arena = lower bound ${human(data.arena)}` : `arena ${human(data.arena)}`;
    halo(reached, right - 4, upperY, colours.text);
    const x = peakX();
    if (!both) {
      const short = `gap ${human(gap)} (${percent(gap, data.bound)})`;
      const whole = `${short} above the lower bound of ${human(data.bound)}`;
      const room = width - ink.measureText(reached).width - 24;
      ink.textAlign = 'left';
      halo(ink.measureText(whole).width <= room ? whole : short, left + 6, upperY, colours.text);
    }

    if (live.steps.length && x >= left && x <= right) {
      const y = yOfLive(Number(live.peak));
      ink.beginPath();
      ink.arc(x, y, 4.5, 0, 2 * Math.PI);
      ink.fillStyle = colours.peak;
      ink.fill();
      ink.lineWidth = 1.5;
      ink.strokeStyle = colours.panel;
      ink.stroke();
      ink.textAlign = 'left';
      ink.textBaseline = 'top';
      const text = `peak ${human(live.peak)} at step ${digits(live.peakStep)}`;
      const wide = ink.measureText(text).width + 4;
      const before = x - 9 - wide;
      // after the peak, else before it, else as near as the width allows
      const start = x + 9 + wide <= right ? x + 9 : before >= left ? before : Math.max(left + 4, Math.min(x, right - wide));
      const from = Math.floor((start - left) * area.ratio);
      const lowest = most(tops.subarray(from, from + Math.ceil(wide * area.ratio))); // beneath the curve, if there is room
      const clear = Math.max(y + 8, lowest + 5);
      halo(text, start, clear < bottom - 16 ? clear : y + 8, colours.peak);
    }

    line(left - 0.5, curveTop, left - 0.5, bottom, colours.line);
    line(left, bottom + 0.5, right, bottom + 0.5, colours.line);
    ink.textAlign = 'left';
    ink.textBaseline = 'middle';
    ink.fillStyle = colours.quiet;
    ink.fillText('Live bytes', 12, curveTop - 10);
    ink.textAlign = 'right';
    ink.fillText('0', left - 9, bottom - 2);
  }

  // ---------------------------------------------------------------- drawing

  let dirtyBase = false;
  let dirtyGlass = false;
  let viewMoved = false;
  let frame = 0;

  function redraw(all) {
    dirtyBase = dirtyBase || all;
    dirtyGlass = true;
    frame = frame || requestAnimationFrame(drawFrame);
  }

  function drawFrame() {
    frame = 0;
    if (dirtyBase) {
      dirtyBase = false;
      const start = performance.now();
      drawBase();
      if (viewMoved && pointer && !drag) {
        hover(pointer); // another box may have come under a pointer that rests
      }
      viewMoved = false;
      const millis = performance.now() - start;
      $('status').textContent = `${plural(count, 'value')}, drawn in ${millis.toFixed(1)} ms`;
    }
    if (dirtyGlass) {
      dirtyGlass = false;
      drawGlass();
    }
  }

  function drawBase() {
    measure(); // how many ticks there are depends on the height, and the width on the ticks' labels
    const ticks = byteTicks();
    ink.font = FONT;
    const widest = ticks.reduce((wide, tick) => Math.max(wide, ink.measureText(tick.label).width), 0);
    area.left = Math.max(64, 16 * Math.ceil((widest + 18) / 16)); // in steps, so that it rests while zooming
    measure();
    ink.setTransform(1, 0, 0, 1, 0, 0);
    ink.fillStyle = colours.panel;
    ink.fillRect(0, 0, base.width, base.height);
    const labels = [];
    const outlines = [];
    paintBoxes(labels, outlines);
    ink.setTransform(area.ratio, 0, 0, area.ratio, 0, 0);
    drawLabels(labels);
    drawOutlines(outlines);
    drawAxes(ticks);
    drawCurve();
  }

  /** What changes with the pointer, drawn on a canvas above, so that the boxes need not be drawn again. */
  function drawGlass() {
    glass.setTransform(area.ratio, 0, 0, area.ratio, 0, 0);
    glass.clearRect(0, 0, plot.clientWidth, plot.clientHeight);
    glass.save();
    glass.beginPath();
    glass.rect(area.left, area.top, area.width, area.height);
    glass.clip();
    const subject = pinned >= 0 ? pinned : hovered;
    if (subject >= 0) {
      const y0 = yOf(end[subject]);
      const y1 = yOf(offset[subject]);
      glass.globalAlpha = 0.1;
      glass.fillStyle = colours.text;
      glass.fillRect(area.left, y0, area.width, y1 - y0);
      glass.globalAlpha = 1;
    }
    for (const i of new Set([hovered, pinned])) {
      if (i >= 0) {
        frameBox(i, i === pinned ? 2.5 : 1.5);
      }
    }
    glass.restore();
    if (pointer && !drag && pointer.x >= area.left && pointer.x <= area.left + area.width) {
      const step = Math.floor(stepAt(pointer.x));
      const x = Math.round(pointer.x) + 0.5;
      glass.strokeStyle = colours.quiet;
      glass.lineWidth = 1;
      glass.setLineDash([2, 3]);
      glass.beginPath();
      glass.moveTo(x, area.top);
      glass.lineTo(x, area.curveTop + area.curveHeight);
      glass.stroke();
      glass.setLineDash([]);
      glass.font = FONT;
      glass.textBaseline = 'middle';
      glass.fillStyle = colours.text;
      const text = `step ${stepText(step)}: ${human(liveAt(step))} live`;
      const half = glass.measureText(text).width / 2;
      const middle = Math.min(Math.max(x, area.left + half + 30), area.left + area.width - half);
      glass.textAlign = 'center';
      glass.fillText(text, middle, area.curveTop - 10);
    }
  }

  function frameBox(i, width) {
    const {x, y, w, h} = isBox(i)
      ? {x: xOf(lower[i]), y: yOf(end[i]), w: xOf(upper[i]) - xOf(lower[i]), h: yOf(offset[i]) - yOf(end[i])}
      : outlineOf(i);
    // clipped near the view: a box may be larger than a canvas can stroke
    const x0 = Math.max(x, -20);
    const y0 = Math.max(y, -20);
    const x1 = Math.min(x + Math.max(w, 2), plot.clientWidth + 20);
    const y1 = Math.min(y + Math.max(h, 2), plot.clientHeight + 20);
    glass.lineWidth = width + 2.5;
    glass.strokeStyle = colours.panel;
    glass.strokeRect(x0, y0, x1 - x0, y1 - y0);
    glass.lineWidth = width;
    glass.strokeStyle = colours.text;
    glass.strokeRect(x0, y0, x1 - x0, y1 - y0);
  }

  // ---------------------------------------------------------------- finding the value under the pointer

  let grid = null;

  /** A grid of cells, each with the values that overlap it; coarser if that would be too many. */
  function makeGrid() {
    for (let across = 256; ; across = Math.ceil(across / 2)) {
      const up = across;
      const columnOf = step => Math.min(across - 1, Math.max(0, Math.floor(step / span * across)));
      const rowOf = byte => Math.min(up - 1, Math.max(0, Math.floor(byte / topByte * up)));
      const starts = new Uint32Array(across * up + 1);
      let entries = 0;
      const cells = (i, use) => {
        const x1 = columnOf(Math.max(upper[i], lower[i] + 1));
        const y1 = rowOf(end[i]);
        for (let y = rowOf(offset[i]); y <= y1; y++) {
          for (let x = columnOf(lower[i]); x <= x1; x++) {
            use(y * across + x);
          }
        }
      };
      const most = 6e6;
      for (let i = 0; i < count && entries < most; i++) {
        cells(i, cell => {
          starts[cell + 1]++;
          entries++;
        });
      }
      if (entries < most || across === 1) {
        for (let cell = 0; cell < across * up; cell++) {
          starts[cell + 1] += starts[cell];
        }
        const places = new Uint32Array(starts[across * up]);
        const next = starts.slice();
        for (let i = 0; i < count; i++) {
          cells(i, cell => places[next[cell]++] = i);
        }
        return {across, columnOf, rowOf, starts, places};
      }
    }
  }

  /** The value at a point of the plot: a view's outline, else the box there, else the nearest within a few pixels. */
  function valueAt(x, y, slack) {
    if (x < area.left || x > area.left + area.width || y < area.top || y > area.top + area.height) {
      return -1;
    }
    grid = grid ?? makeGrid();
    let best = -1;
    let bestDistance = slack;
    const x1 = grid.columnOf(stepAt(x + slack));
    const y1 = grid.rowOf(byteAt(y - slack));
    for (let row = grid.rowOf(byteAt(y + slack)); row <= y1; row++) {
      for (let column = grid.columnOf(stepAt(x - slack)); column <= x1; column++) {
        const cell = row * grid.across + column;
        for (let k = grid.starts[cell]; k < grid.starts[cell + 1]; k++) {
          const i = grid.places[k];
          if (!shown[role[i]] || size[i] === 0) {
            continue;
          }
          if (isBox(i)) {
            const aside = Math.max(xOf(lower[i]) - x, x - xOf(upper[i]), 0);
            const above = Math.max(yOf(end[i]) - y, y - yOf(offset[i]), 0);
            const distance = Math.max(aside, above);
            if (distance < bestDistance || distance === bestDistance && distance === 0 && best < 0) {
              best = i;
              bestDistance = distance;
            }
          } else {
            const box = outlineOf(i);
            if (box.w >= OUTLINE_LEAST && box.h >= OUTLINE_LEAST && x >= box.x && x <= box.x + box.w && y >= box.y && y <= box.y + box.h) {
              return i;
            }
          }
        }
      }
    }
    return best;
  }

  // ---------------------------------------------------------------- details

  const LISTED = 8;
  const FURTHER = 100;

  let sharers = {of: -1, places: []};

  /** The values that share bytes with a value, the nearest in time first. */
  function sharing(i) {
    if (sharers.of !== i) {
      sharers = {of: i, places: findSharers(i)};
    }
    return sharers.places;
  }

  function findSharers(i) {
    const distance = j => Math.max(lower[j] - upper[i], lower[i] - upper[j]);
    const found = [];
    for (let j = 0; j < count && size[i] > 0; j++) {
      if (j !== i && isBox(j) && parentOf.get(i) !== j && meet(i, j)) {
        found.push(j);
      }
    }
    return found.sort((a, b) => distance(a) - distance(b) || lower[a] - lower[b]);
  }

  function valueList(places, note) {
    return el('ul', {className: 'values'}, ...places.map(i => el('li', {},
      el('button', {type: 'button', title: nameOf(i), onclick: () => pin(i, true)},
        swatch(role[i]), el('span', {className: 'name'}, el('bdi', {}, nameOf(i))), el('small', {}, note(i))))));
  }

  function facts(pairs) {
    return el('dl', {}, ...pairs.filter(([, value]) => value).flatMap(([term, value, more]) =>
      [el('dt', {}, term), el('dd', {}, value, ...(more ? [el('small', {}, more)] : []))]));
  }

  const heading = text => el('h2', {tabIndex: -1}, text);

  /** Shows other details. Keyboard focus inside the old details moves to the heading of the new ones. */
  function showDetails() {
    const details = $('details');
    const held = details.contains(document.activeElement);
    const i = pinned >= 0 ? pinned : hovered;
    if (i >= 0) {
      details.replaceChildren(...valueDetails(i));
    } else if (matches && query) {
      details.replaceChildren(...matchDetails());
    } else {
      details.replaceChildren(...peakDetails());
    }
    if (held) {
      details.querySelector('h2').focus({preventScroll: true});
    }
  }

  function valueDetails(i) {
    const parts = [
      heading(nameOf(i)),
      el('p', {className: 'quiet'}, swatch(role[i]), ` ${roleOf(i)}`, pinned === i ? ', pinned' : ''),
      facts([
        ['Shape', shapeOf(i)],
        ['Type', typeOf(i)],
        ['Offset', bytesText(data.offset[i]), human(data.offset[i])],
        ['Size', bytesText(data.size[i]), human(data.size[i])],
        ['Ends before', bytesText(endExact(i))],
        ['Segment', segments > 1 ? `${segmentsText(i)} of ${digits(segments)}` : ''],
        ['Live range', rangeText(i), rangeLength(i)],
        ['Node', String(data.id[i])],
      ])];
    if (pinned === i) {
      parts.push(el('div', {className: 'buttons'},
        el('button', {type: 'button', onclick: () => zoomTo(i)}, 'Zoom to it'),
        el('button', {type: 'button', onclick: () => showRow(i)}, 'Show in table'),
        el('button', {type: 'button', onclick: () => pin(-1)}, 'Unpin')));
    }
    if (inPlaceOf.has(i)) {
      parts.push(el('h3', {}, 'Overwrites'), valueList([inPlaceOf.get(i)], rangeText));
    }
    if (overwrittenBy.has(i)) {
      parts.push(el('h3', {}, 'Overwritten by'), valueList([overwrittenBy.get(i)], rangeText));
    }
    if (parentOf.has(i)) {
      const parent = parentOf.get(i);
      parts.push(el('h3', {}, 'Shows bytes of'));
      parts.push(parent >= 0 ? valueList([parent], j => human(data.size[j])) : el('p', {}, 'a value that is not in the plan'));
    }
    const views = viewsOf.get(i) ?? [];
    if (views.length > 0) {
      parts.push(el('h3', {}, plural(views.length, 'view')), ...cut(views, j => human(data.size[j])));
    }
    const others = sharing(i);
    parts.push(el('h3', {}, others.length ? `Shares bytes with ${plural(others.length, 'value')}, nearest in time first` : 'Shares bytes with no other value'));
    parts.push(...cut(others, rangeText));
    return parts;
  }

  /** The first of many values, and a button that adds more. */
  function cut(places, note) {
    const list = valueList(places.slice(0, LISTED), note);
    let listed = Math.min(LISTED, places.length);
    const more = el('button', {type: 'button', className: 'more', onclick: () => {
      const next = valueList(places.slice(listed, listed + FURTHER), note);
      const first = next.firstChild.firstChild;
      list.append(...next.childNodes);
      listed = Math.min(listed + FURTHER, places.length);
      showMore();
      first.focus({preventScroll: true});
    }});
    const showMore = () => {
      if (listed === places.length) {
        more.remove();
      }
      more.textContent = `and ${digits(places.length - listed)} more`;
    };
    showMore();
    return listed === places.length ? [list] : [list, more];
  }

  function matchDetails() {
    return [heading(plural(matches.length, 'match').replace('matchs', 'matches')),
      ...cut([...matches], i => human(data.size[i]))];
  }

  let atPeak = null;

  function peakDetails() {
    if (!atPeak) {
      atPeak = [];
      for (let i = 0; i < count; i++) {
        if (isBox(i) && data.lower[i] <= live.peakStep && data.upper[i] > live.peakStep) {
          atPeak.push(i);
        }
      }
      atPeak.sort((a, b) => size[b] - size[a]);
    }
    return [heading(`At the peak, step ${digits(live.peakStep)}`),
      el('p', {className: 'quiet'}, `${plural(atPeak.length, 'value')}, ${human(live.peak)} live, the largest first`),
      ...cut(atPeak, i => human(data.size[i])),
      el('p', {className: 'quiet'}, 'Point at a box for its details; click to pin it.')];
  }

  function pin(i, reveal = false) {
    pinned = i;
    if (i >= 0) {
      setShown(role[i], true);
      $('announce').textContent = `${inWords(nameOf(i))}: ${roleOf(i)}, ${human(data.size[i])} at offset ${digits(data.offset[i])}, live range ${rangeText(i)}`;
      if (reveal) {
        bringIntoView(i);
      }
    }
    showDetails();
    markRow();
    redraw(false);
  }

  // ---------------------------------------------------------------- zoom and pan

  function setView(t0, t1, a0, a1) {
    // At least two steps and 16 bytes, or what a Float64 can still resolve at this distance from 0.
    const spanT = Math.min(home.t1 - home.t0, Math.max(t1 - t0, 2, span * 1e-13));
    const spanA = Math.min(home.a1, Math.max(a1 - a0, 16, topByte * 1e-13));
    const middleT = (t0 + t1) / 2;
    const middleA = (a0 + a1) / 2;
    view.t0 = Math.min(Math.max(middleT - spanT / 2, home.t0), home.t1 - spanT);
    view.t1 = view.t0 + spanT;
    view.a0 = Math.min(Math.max(middleA - spanA / 2, 0), home.a1 - spanA);
    view.a1 = view.a0 + spanA;
    viewMoved = true;
    plot.classList.toggle('whole', isWhole());
    redraw(true);
  }

  const isWhole = () => view.t1 - view.t0 >= home.t1 - home.t0 && view.a1 - view.a0 >= home.a1;

  /** Zooms about a point of the plot, which keeps its step and byte. */
  function zoom(factorT, factorA, x = area.left + area.width / 2, y = area.top + area.height / 2) {
    const clampedT = Math.max(factorT, Math.max(2, span * 1e-13) / (view.t1 - view.t0));
    const clampedA = Math.max(factorA, Math.max(16, topByte * 1e-13) / (view.a1 - view.a0));
    const t = stepAt(x);
    const a = byteAt(y);
    setView(t + (view.t0 - t) * clampedT, t + (view.t1 - t) * clampedT, a + (view.a0 - a) * clampedA, a + (view.a1 - a) * clampedA);
  }

  function pan(shareT, shareA) {
    const t = shareT * (view.t1 - view.t0);
    const a = shareA * (view.a1 - view.a0);
    setView(view.t0 + t, view.t1 + t, view.a0 + a, view.a1 + a);
  }

  const fit = () => setView(home.t0, home.t1, home.a0, home.a1);

  function zoomTo(i) {
    const steps = Math.max(upper[i] - lower[i], 1);
    setView(lower[i] - steps, lower[i] + 2 * steps, offset[i] - size[i], end[i] + size[i]);
  }

  function bringIntoView(i) {
    if (size[i] === 0) {
      return; // there is nothing to see
    }
    const width = xOf(Math.max(upper[i], lower[i] + 1)) - xOf(lower[i]);
    const height = yOf(offset[i]) - yOf(end[i]);
    const inside = upper[i] > view.t0 && lower[i] < view.t1 && end[i] > view.a0 && offset[i] < view.a1;
    if (!inside || width < 3 || height < 3) {
      zoomTo(i);
    }
  }

  /** The range of offsets of the values that are not live at every step, if it is separate from that of the others. */
  const moving = (() => {
    let from = Infinity;
    let to = 0;
    let first = Infinity;
    let last = 0;
    for (let i = 0; i < count; i++) {
      if (isBox(i) && upper[i] - lower[i] < span) {
        from = Math.min(from, offset[i]);
        to = Math.max(to, end[i]);
        first = Math.min(first, lower[i]);
        last = Math.max(last, upper[i]);
      }
    }
    return from < to && to - from < 0.9 * topByte ? {from, to, first, last} : null;
  })();
  const fitMoving = () => moving && setView(moving.first, moving.last, moving.from, moving.to + (moving.to - moving.from) * 0.06);

  const pointers = new Map();
  let drag = null;

  function placeOf(event) {
    const box = plot.getBoundingClientRect();
    return {x: event.clientX - box.left - plot.clientLeft, y: event.clientY - box.top - plot.clientTop};
  }

  function hover(place) {
    pointer = place;
    const i = place && !drag ? valueAt(place.x, place.y, 4) : -1;
    const tip = $('tip');
    if (i !== hovered) {
      hovered = i;
      if (pinned < 0) {
        showDetails();
      }
      if (i >= 0) {
        const kind = [typeOf(i), shapeOf(i)].filter(Boolean).join(' ');
        const others = sharing(i);
        const withHowMany = others.length > 0 ? `${plural(others.length, 'value')}, next in time ` : 'no other value';
        const next = others.length > 0 ? [el('bdi', {}, shortened(nameOf(others[0])))] : [];
        tip.replaceChildren(el('b', {}, el('bdi', {}, shortened(nameOf(i)))), `${human(data.size[i])} at ${human(data.offset[i])}, ${roleOf(i)}`,
          ...(kind ? [el('br'), kind] : []), el('br'), `live ${rangeText(i)}`,
          el('br'), `shares bytes with ${withHowMany}`, ...next);
      }
    }
    tip.hidden = i < 0;
    if (i >= 0) {
      const x = place.x + 16 + tip.offsetWidth > plot.clientWidth ? place.x - 14 - tip.offsetWidth : place.x + 16;
      const y = Math.min(place.y + 14, plot.clientHeight - tip.offsetHeight - 6);
      tip.style.transform = `translate(${Math.max(4, Math.round(x))}px, ${Math.max(4, Math.round(y))}px)`;
    }
    redraw(false);
  }

  /** The axes to zoom at a point: only bytes over the offset axis, only steps over the curve and the step axis. */
  const axesAt = ({x, y}) => ({time: x >= area.left, bytes: y < area.top + area.height});

  plot.addEventListener('wheel', event => {
    const lines = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
    const delta = Math.max(-240, Math.min(240, (event.deltaY || event.deltaX) * lines));
    if (delta > 0 && isWhole()) {
      return; // everything is in view, so the page may scroll
    }
    event.preventDefault();
    const place = placeOf(event);
    const axes = axesAt(place);
    const factor = Math.exp(delta * (event.ctrlKey ? 0.01 : 0.0022));
    zoom(axes.time && !event.altKey ? factor : 1, axes.bytes && !event.shiftKey ? factor : 1, place.x, place.y);
  }, {passive: false});

  plot.addEventListener('pointerdown', event => {
    if (event.button !== 0) {
      return;
    }
    const place = placeOf(event);
    pointers.set(event.pointerId, place);
    plot.setPointerCapture(event.pointerId);
    drag = {start: place, moved: pointers.size > 1, axes: axesAt(place)};
  });

  plot.addEventListener('pointermove', event => {
    const place = placeOf(event);
    const before = pointers.get(event.pointerId);
    if (!before) {
      hover(place);
      return;
    }
    if (pointers.size === 1) {
      if (!drag.moved && Math.hypot(place.x - drag.start.x, place.y - drag.start.y) < 4) {
        return;
      }
      drag.moved = true;
      plot.classList.add('dragging');
      pan(drag.axes.time ? (before.x - place.x) / area.width : 0, drag.axes.bytes ? (place.y - before.y) / area.height : 0);
    } else {
      const [other] = [...pointers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
      const factor = Math.max(8, Math.hypot(before.x - other.x, before.y - other.y)) / Math.max(8, Math.hypot(place.x - other.x, place.y - other.y));
      zoom(factor, factor, (place.x + other.x) / 2, (place.y + other.y) / 2);
    }
    pointers.set(event.pointerId, place);
  });

  function release(event) {
    const clicked = event.type === 'pointerup' && drag && !drag.moved && pointers.size === 1;
    pointers.delete(event.pointerId);
    if (pointers.size === 0) {
      drag = null;
      plot.classList.remove('dragging');
    }
    if (clicked) {
      const place = placeOf(event);
      const i = valueAt(place.x, place.y, event.pointerType === 'touch' ? 12 : 4);
      pin(i === pinned ? -1 : i);
      hover(event.pointerType === 'touch' ? null : place);
    }
  }

  plot.addEventListener('pointerup', release);
  plot.addEventListener('pointercancel', release);
  plot.addEventListener('pointerleave', () => hover(null));
  plot.addEventListener('dblclick', event => {
    const place = placeOf(event);
    const i = valueAt(place.x, place.y, 4);
    if (i >= 0) {
      pin(i);
      zoomTo(i);
    }
  });

  const KEYS = {
    ArrowLeft: () => pan(-0.1, 0),
    ArrowRight: () => pan(0.1, 0),
    ArrowUp: () => pan(0, 0.1),
    ArrowDown: () => pan(0, -0.1),
    '+': () => zoom(0.7, 0.7),
    '=': () => zoom(0.7, 0.7),
    '-': () => zoom(1 / 0.7, 1 / 0.7),
    '0': fit,
    a: fitMoving,
    n: () => pinNext(1),
    p: () => pinNext(-1),
    Enter: () => pinned >= 0 && zoomTo(pinned),
    Escape: () => pin(-1),
  };

  /** Pins the next or the previous value among those that are shown and match the search. */
  function pinNext(by) {
    let i = pinned < 0 && by < 0 ? 0 : pinned;
    for (let tries = 0; tries < count; tries++) {
      i = (i + by + count) % count;
      if (shown[role[i]] && (!matching || matching[i] === 1)) {
        pin(i, true);
        return;
      }
    }
  }

  plot.addEventListener('keydown', event => {
    const action = KEYS[event.key];
    if (action && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      action();
    }
  });
  $('zoom-in').onclick = () => zoom(0.7, 0.7);
  $('zoom-out').onclick = () => zoom(1 / 0.7, 1 / 0.7);
  $('fit').onclick = fit;
  $('fit-moving').onclick = fitMoving;
  $('fit-moving').hidden = $('key-moving').hidden = !moving;

  // ---------------------------------------------------------------- search

  let lowerNames = null;

  function search() {
    query = $('search').value.trim().toLowerCase();
    matching = null;
    matches = null;
    if (query) {
      lowerNames = lowerNames ?? Array.from({length: count}, (unused, i) => nameOf(i).toLowerCase());
      matching = new Uint8Array(count);
      lowerNames.forEach((name, i) => matching[i] = name.includes(query) ? 1 : 0);
      matches = Uint32Array.from({length: count}, (unused, i) => i).filter(i => matching[i] === 1);
    }
    $('matches').textContent = query ? `${digits(matches.length)} of ${digits(count)}` : '';
    pinned = -1;
    hovered = -1;
    showDetails();
    order();
    redraw(true);
  }

  $('search').addEventListener('input', search);
  $('search').addEventListener('keydown', event => {
    if (event.key === 'Enter' && matches && matches.length > 0) {
      const next = matches.findIndex(i => i > pinned);
      pin(matches[Math.max(0, next)], true);
    } else if (event.key === 'Escape') {
      $('search').value = '';
      search();
    }
  });

  // ---------------------------------------------------------------- table

  const PAGE = 50;
  const collator = new Intl.Collator('en', {numeric: true});
  const byText = text => {
    let ranks = null; // a sort compares each text many times, and that is slow: rank them once
    return (i, j) => {
      if (!ranks) {
        const distinct = [...new Set(Array.from({length: count}, (unused, k) => text(k)))].sort(collator.compare);
        const rank = new Map(distinct.map((value, place) => [value, place]));
        ranks = Uint32Array.from({length: count}, (unused, k) => rank.get(text(k)));
      }
      return ranks[i] - ranks[j];
    };
  };

  const COLUMNS = [
    {label: 'Name', text: nameOf, compare: byText(nameOf)},
    {label: 'Role', text: roleOf, compare: (i, j) => role[i] - role[j]},
    {label: 'Shape', text: shapeOf, compare: byText(shapeOf), hide: data.shapes.every(text => text === '')},
    {label: 'Type', text: typeOf, compare: byText(typeOf), hide: data.dtypes.every(text => text === '')},
    {label: 'Offset', number: true, largestFirst: true, text: i => digits(data.offset[i]), compare: by(data.offset)},
    {label: 'Size, bytes', number: true, largestFirst: true, text: i => digits(data.size[i]), compare: by(data.size)},
    {label: 'Size', number: true, largestFirst: true, text: i => human(data.size[i]), compare: by(data.size)},
    {label: 'Segment', number: true, text: segmentsText, compare: by(data.offset), hide: segments === 1},
    {label: 'From step', number: true, text: i => digits(data.lower[i]), compare: by(data.lower)},
    {label: 'Before step', number: true, text: i => digits(data.upper[i]), compare: by(data.upper)},
    {label: 'Node', number: true, text: i => String(data.id[i]), compare: by(data.id), hide: data.id.every((id, i) => nameOf(i) === String(id))},
  ].filter(column => !column.hide);

  let sorted = null; // {column, down}
  let rows = null;
  let page = 0;

  function order() {
    rows = matches ? matches.slice() : Uint32Array.from({length: count}, (unused, i) => i);
    if (sorted) {
      const {compare} = COLUMNS[sorted.column];
      const sign = sorted.down ? -1 : 1;
      rows.sort((i, j) => sign * compare(i, j) || i - j);
    }
    showPage(0);
  }

  function showPage(wanted) {
    const pages = Math.max(1, Math.ceil(rows.length / PAGE));
    page = Math.min(pages - 1, Math.max(0, wanted));
    const from = page * PAGE;
    const to = Math.min(rows.length, from + PAGE);
    $('table').tBodies[0].replaceChildren(...Array.from(rows.subarray(from, to), tableRow));
    $('rows').textContent = rows.length === 0 ? 'no rows' : `${digits(from + 1)} to ${digits(to)} of ${digits(rows.length)}`;
    $('page').value = page + 1;
    $('page').max = pages;
    $('pages').textContent = `of ${digits(pages)}`;
    // not disabled: that would lose the keyboard focus
    for (const [id, isOfUse] of [['page-first', page > 0], ['page-back', page > 0], ['page-next', page < pages - 1], ['page-last', page < pages - 1]]) {
      $(id).setAttribute('aria-disabled', String(!isOfUse));
    }
    $('table').parentElement.scrollTop = 0;
    markRow();
  }

  /** Shows the table row of a value; clears the search if that hides the row. */
  function showRow(i) {
    if (!rows.includes(i)) {
      $('search').value = '';
      search();
      pin(i);
    }
    showPage(Math.floor(rows.indexOf(i) / PAGE));
    const row = [...$('table').tBodies[0].rows].find(each => Number(each.dataset.value) === i);
    row.scrollIntoView({block: 'center'});
    row.querySelector('button').focus({preventScroll: true});
  }

  function tableRow(i) {
    const row = el('tr', {'data-value': i});
    COLUMNS.forEach(({text, number}, k) => {
      const cell = el('td', number ? {className: 'number'} : {});
      if (k === 0) {
        cell.append(el('button', {type: 'button', className: 'name', title: text(i), onclick: () => {
          pin(i, true);
          plot.scrollIntoView({block: 'nearest'});
        }}, el('bdi', {}, text(i))));
      } else if (k === 1) {
        cell.append(swatch(role[i]), text(i));
      } else {
        cell.append(text(i));
      }
      row.append(cell);
    });
    return row;
  }

  function markRow() {
    for (const row of $('table').tBodies[0].rows) {
      if (Number(row.dataset.value) === pinned) {
        row.setAttribute('aria-current', 'true');
      } else {
        row.removeAttribute('aria-current');
      }
    }
  }

  function makeTable() {
    const head = $('table').tHead.rows[0];
    COLUMNS.forEach((column, k) => {
      head.append(el('th', {scope: 'col', className: column.number ? 'number' : '', 'aria-sort': 'none'},
        el('button', {type: 'button', onclick: () => {
          sorted = {column: k, down: sorted?.column === k ? !sorted.down : Boolean(column.largestFirst)};
          [...head.cells].forEach((cell, other) =>
            cell.setAttribute('aria-sort', other !== k ? 'none' : sorted.down ? 'descending' : 'ascending'));
          order();
        }}, column.label)));
    });
    $('page-first').onclick = () => showPage(0);
    $('page-back').onclick = () => showPage(page - 1);
    $('page-next').onclick = () => showPage(page + 1);
    $('page-last').onclick = () => showPage(Infinity);
    $('page').onchange = () => showPage(Math.trunc(Number($('page').value)) - 1 || 0);
    order();
  }

  // ---------------------------------------------------------------- the page

  function largestSegment() {
    return segmentEnds.reduce((most, ends, k) => {
      const bytes = difference(ends, k === 0 ? 0 : segmentEnds[k - 1]);
      return bytes > most ? bytes : most;
    }, 0);
  }

  function showHead() {
    $('title').textContent = data.title;
    $('subtitle').textContent = data.subtitle;
    const saved = difference(live.unshared, data.arena);
    const figures = [
      ['Arena', human(data.arena), bytesText(data.arena)],
      ['Lower bound', human(data.bound), bytesText(data.bound)],
      ['Gap', Number(gap) === 0 ? 'none' : human(gap), Number(gap) === 0 ? 'no plan with these live ranges is smaller' : `${percent(gap, data.bound)} above the lower bound`],
      ['Without sharing', human(live.unshared), bytesText(live.unshared)],
      ['Saved', Number(saved) > 0 ? human(saved) : 'none', Number(saved) > 0 ? `${percent(saved, live.unshared)} of it` : 'nothing shares bytes'],
      ...(segments > 1 ? [['Segments', digits(segments), `the largest has ${human(largestSegment())}`]] : []),
      ['Values', digits(count), count ? plural(difference(lastStep, firstStep), 'step') : 'no steps'],
    ];
    $('figures').replaceChildren(...figures.map(([term, value, more]) =>
      el('div', {}, el('dt', {}, term), el('dd', {}, value, el('small', {}, more)))));
  }

  function summaryText() {
    const saved = difference(live.unshared, data.arena);
    const text = [`The plan places ${plural(count, 'value')} in an arena of ${bytesText(data.arena)} (${human(data.arena)}).`];
    if (segments > 1) {
      text.push(`The arena is held in ${plural(segments, 'segment')}, of which the largest has ${bytesText(largestSegment())} (${human(largestSegment())}).`);
    }
    if (live.steps.length > 0) {
      text.push(`The largest load is ${bytesText(live.peak)}, first at step ${digits(live.peakStep)}.`);
    }
    text.push(`The lower bound for these live ranges is ${bytesText(data.bound)} (${human(data.bound)})`
      + (Number(gap) > 0 ? `; the arena is ${bytesText(gap)} (${human(gap)}, ${percent(gap, data.bound)}) larger.`
        : Number(gap) === 0 ? ', and the arena meets it.' : '.'));
    if (Number(live.unshared) > 0) {
      text.push(`Without sharing the values would take ${bytesText(live.unshared)} (${human(live.unshared)})`
        + (Number(saved) > 0 ? `; sharing saves ${bytesText(saved)}, ${percent(saved, live.unshared)}.` : '.'));
    }
    if (count > 0) {
      const largest = size.reduce((best, bytes, i) => bytes > size[best] ? i : best, 0);
      text.push(`The largest value is ${inWords(nameOf(largest))} with ${bytesText(data.size[largest])} (${human(data.size[largest])}).`);
    }
    const without = size.reduce((sum, bytes) => sum + (bytes === 0 ? 1 : 0), 0);
    if (without > 0) {
      text.push(`${plural(without, 'value')} of 0 bytes ${without === 1 ? 'has' : 'have'} no box.`);
    }
    return text.join(' ');
  }

  const legend = []; // the button of each role in the plan

  function setShown(place, isShown) {
    if (shown[place] !== isShown) {
      shown[place] = isShown;
      legend[place].setAttribute('aria-pressed', String(isShown));
      redraw(true);
    }
  }

  function makeLegend() {
    const counts = new Array(data.roles.length).fill(0);
    role.forEach(place => counts[place]++);
    data.roles.forEach((name, place) => {
      if (counts[place] > 0) {
        const button = el('button', {type: 'button', 'aria-pressed': 'true'}, swatch(place), name, el('small', {}, digits(counts[place])));
        button.onclick = () => setShown(place, !shown[place]);
        legend[place] = button;
        $('legend').append(button);
      }
    });
  }

  showHead();
  $('summary').textContent = summaryText();
  if (count === 0) {
    $('empty').hidden = false;
    $('picture').hidden = true;
    $('table-section').hidden = true;
    return;
  }
  plot.setAttribute('aria-label', `Memory plan: steps from left to right, offsets from bottom to top. ${summaryText()}`);
  makeLegend();
  makeTable();
  showDetails();
  readColours();
  // at once, not with the next frame: the picture is never shown stretched, and a page printed before any frame is complete
  const drawNow = () => {
    dirtyBase = true;
    dirtyGlass = true;
    drawFrame();
  };
  const recolour = () => {
    readColours();
    drawNow();
  };
  for (const medium of ['(prefers-color-scheme: dark)', 'print']) { // paper is white
    window.matchMedia(medium).addEventListener('change', recolour);
  }
  new ResizeObserver(drawNow).observe(plot);
  drawNow();
})();
