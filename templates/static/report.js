(function () {
'use strict';
var d = document, all = function (q, e) { return [].slice.call((e || d).querySelectorAll(q)); };

/* theme: system, light, dark */
var button = d.getElementById('theme'), themes = ['system', 'light', 'dark'], theme = 0;
function applyTheme() {
  if (theme) d.documentElement.dataset.theme = themes[theme]; else delete d.documentElement.dataset.theme;
  button.textContent = 'Theme: ' + themes[theme];
}
if (button && window.CSS && CSS.supports('color', 'light-dark(#000,#fff)')) {
  try { theme = Math.max(0, themes.indexOf(localStorage.getItem('rageval-theme'))); } catch (e) { /* storage is off */ }
  applyTheme();
  button.hidden = false;
  button.addEventListener('click', function () {
    theme = (theme + 1) % 3;
    applyTheme();
    try { localStorage.setItem('rageval-theme', themes[theme]); } catch (e) { /* storage is off */ }
  });
}

/* narrow screens: fold the contents */
if (matchMedia('(max-width:62rem)').matches) all('nav.toc details').forEach(function (e) { e.open = false; });

/* a scrolling box gets a tab stop, and only then */
function stops() {
  all('.tw,.chart,.drills').forEach(function (e) {
    if (e.closest('details:not([open])')) return; /* asking its width would lay it out */
    var scrolls = e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1;
    if (!scrolls) { ['tabindex', 'role', 'aria-label'].forEach(function (a) { e.removeAttribute(a); }); return; }
    var c = e.classList.contains('drills') ? null : e.querySelector('caption') || e.parentNode.querySelector('figcaption');
    e.tabIndex = 0; e.setAttribute('role', 'group');
    e.setAttribute('aria-label', c ? c.firstChild.textContent.trim() || 'Scrolling table' : 'Scrolling table');
  });
}
addEventListener('resize', stops);
d.addEventListener('toggle', stops, true);

/* mark the section in view */
if ('IntersectionObserver' in window) {
  var links = {};
  all('nav.toc a').forEach(function (a) { links[a.hash.slice(1)] = a; });
  var seen = new IntersectionObserver(function (entries) {
    entries.forEach(function (e) {
      if (!e.isIntersecting || !links[e.target.id]) return;
      all('nav.toc a[aria-current]').forEach(function (a) { a.removeAttribute('aria-current'); });
      links[e.target.id].setAttribute('aria-current', 'true');
    });
  }, { rootMargin: '-10% 0px -80% 0px' });
  all('main section[id]').forEach(function (s) { seen.observe(s); });
}

/* tables of all queries: rows stand in the page or come packed; sort, filter and turn pages */
function number(text) {
  if (text === 'n/a' || text === '') return NaN;
  var near = text.indexOf('<') === 0 || text.indexOf('>') === 0;
  var n = parseFloat(text.replace(/[<>+]/g, '').replace('\u2212', '-'));
  return near ? n / 2 : n;
}
function setUp(box, rows, make) {
  var table = box.querySelector('table'), body = table.tBodies[0], heads = [].slice.call(table.tHead.rows[0].cells);
  var fixed = +box.dataset.columns, last = heads.length - 1, change = box.dataset.change === '1';
  var size = 50, page = 0, column = change ? last : 0, way = 1, view = rows;
  var find = box.querySelector('.find'), outcome = box.querySelector('.outcome'), selects = all('.attribute', box);
  var order = new Intl.Collator(undefined, { numeric: true });
  function keep(r) {
    var s = find.value.toLowerCase();
    if (s && (r.cells[0] + '\n' + r.cells[1]).toLowerCase().indexOf(s) < 0) return false;
    if (selects.some(function (e) { return e.value && r.cells[+e.dataset.column] !== e.value; })) return false;
    if (!outcome || !outcome.value) return true;
    var n = number(r.cells[last]);
    return outcome.value === 'l' ? n < 0 : outcome.value === 'w' ? n > 0 : n === 0;
  }
  function compare(a, b) {
    if (column < fixed) return way * order.compare(a.cells[column], b.cells[column]);
    var u = number(a.cells[column]), v = number(b.cells[column]);
    if (isNaN(u) || isNaN(v)) return isNaN(u) - isNaN(v);
    return way * (u - v);
  }
  function draw() {
    var pages = Math.max(1, Math.ceil(view.length / size));
    page = Math.min(page, pages - 1);
    var part = view.slice(page * size, page * size + size), f = d.createDocumentFragment();
    part.forEach(function (r) { var tr = make(r); link(box, tr.cells[0]); f.appendChild(tr); });
    body.replaceChildren(f);
    box.querySelector('.position').textContent = view.length ? (page * size + 1) + '\u2013' + (page * size + part.length) + ' of ' + view.length + ' queries' : 'No query matches';
    box.querySelector('.previous').disabled = page === 0;
    box.querySelector('.next').disabled = page >= pages - 1;
    stops();
  }
  function apply() { page = 0; view = rows.filter(keep).sort(compare); draw(); }
  selects.forEach(function (e) {
    var values = {};
    rows.forEach(function (r) { if (r.cells[+e.dataset.column]) values[r.cells[+e.dataset.column]] = 1; });
    Object.keys(values).sort(order.compare).slice(0, 200).forEach(function (v) { var o = d.createElement('option'); o.value = o.textContent = v; e.appendChild(o); });
  });
  heads.forEach(function (h, i) {
    var b = d.createElement('button');
    b.type = 'button'; b.className = 'sort';
    while (h.firstChild) b.appendChild(h.firstChild);
    h.appendChild(b);
    b.addEventListener('click', function () {
      way = column === i ? -way : 1; column = i;
      heads.forEach(function (x) { x.removeAttribute('aria-sort'); });
      h.setAttribute('aria-sort', way > 0 ? 'ascending' : 'descending');
      apply();
    });
  });
  heads[column].setAttribute('aria-sort', 'ascending');
  all('input,select', box).forEach(function (e) { e.addEventListener('input', apply); });
  box.querySelector('.previous').addEventListener('click', function () { page--; draw(); });
  box.querySelector('.next').addEventListener('click', function () { page++; draw(); });
  all('[hidden]', box).forEach(function (e) { e.hidden = false; });
  apply();
}
/* a query with a drill-down links to it, and arriving there opens it */
function link(box, cell) {
  var section = box.closest('section');
  if (!section.drills) {
    section.drills = {};
    all('details.drill', section).forEach(function (e) { section.drills[e.dataset.query] = e.id; });
  }
  var id = section.drills[cell.textContent];
  if (!id || cell.querySelector('a')) return;
  var a = d.createElement('a');
  a.href = '#' + id; a.textContent = cell.textContent;
  cell.replaceChildren(a);
}
function unfold() {
  var e = location.hash.length > 1 && d.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (e && e.matches('details')) { e.open = true; e.scrollIntoView(); }
}
addEventListener('hashchange', unfold);

function fromPage(box) {
  var rows = [].slice.call(box.querySelector('tbody').rows).map(function (r) {
    return { row: r, cells: [].map.call(r.cells, function (c) { return c.textContent.trim(); }) };
  });
  setUp(box, rows, function (r) { return r.row; });
}
function fromPacked(box, packed) {
  var bytes = Uint8Array.from(atob(packed.textContent), function (c) { return c.charCodeAt(0); });
  var stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  new Response(stream).json().then(function (table) {
    var fixed = +box.dataset.columns;
    var width = box.querySelector('thead tr').cells.length;
    setUp(box, table.map(function (cells) { return { cells: cells }; }), function (r) {
      var tr = d.createElement('tr');
      r.cells.slice(0, width).forEach(function (text, i) {
        var c = d.createElement(i ? 'td' : 'th');
        if (!i) { c.scope = 'row'; c.className = 'mono'; }
        if (i === 1) c.className = 'qtext';
        if (i < fixed) c.dir = 'auto'; else c.className = 'n';
        c.textContent = text;
        tr.appendChild(c);
      });
      return tr;
    });
  });
}
all('.all').forEach(function (box) {
  var packed = box.querySelector('.packed');
  if (packed) fromPacked(box, packed); else fromPage(box);
});
stops();
unfold();
})();
