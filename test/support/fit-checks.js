// What a view of the web client must hold on each screen: nothing is wider than its place, and where a finger points
// (`pointer: coarse`) each target is 44 px in both directions. Runs in the browser, as page-checks.js does.

/** scroll sideways by intention: tools above a text, tabs, and text of members in which a line means something */
const SIDEWAYS = '.toolbar, .tabs, pre, .preview-text, .page-text';
/** its place and size say when something is: 24 px (WCAG 2.2, 2.5.8) */
const TIMED = '.calendar-body';

// biome-ignore lint/correctness/noUnusedVariables: called by the text that is evaluated behind this one
function fitComplaints() {
  const complaints = [];
  const shown = (node) => node.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const nameOf = (node) =>
    `${node.tagName}.${node.className} ${(node.ariaLabel ?? node.textContent).trim().slice(0, 30)}`;
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > width) complaints.push('wider than the window');
  for (const node of document.querySelectorAll('body *')) {
    if (!shown(node) || node.closest(SIDEWAYS) || node.closest('svg, .visually-hidden')) continue;
    const { overflowX } = getComputedStyle(node);
    const isScroller = overflowX === 'auto' || overflowX === 'scroll';
    if (isScroller && node.scrollWidth > node.clientWidth + 1) complaints.push(`scrolls sideways: ${nameOf(node)}`);
    // what is cut off by what it is in is not over the edge
    const isCut = getComputedStyle(node.parentElement).overflowX !== 'visible';
    const { left, right, width: own } = node.getBoundingClientRect();
    const isSeen = own > 1 && right > 0 && left < width && !node.closest('.skip');
    if (isSeen && !isCut && (right > width + 1 || left < -1)) complaints.push(`over the edge: ${nameOf(node)}`);
    else if (isSeen && isOverPane(node, left, right)) complaints.push(`over its pane: ${nameOf(node)}`);
  }
  if (matchMedia('(pointer: coarse)').matches) complaints.push(...smallTargets(shown, nameOf));
  return complaints;
}

/** What is not cut off within its pane covers the one beside it. */
function isOverPane(node, left, right) {
  const pane = node.closest('.pane');
  if (!pane || pane === node) return false;
  for (let around = node.parentElement; around !== pane; around = around.parentElement)
    if (getComputedStyle(around).overflowX !== 'visible') return false;
  const place = pane.getBoundingClientRect();
  return right > place.right + 1 || left < place.left - 1;
}

/** Answers at the point: itself, what it is in, or its label. */
function isHit(node, x, y) {
  const found = document.elementFromPoint(x, y);
  return found !== null && (node.contains(found) || found.contains(node.closest('label')) || found.control === node);
}

/** What is out of the window, or of what scrolls, is not known to be too small. */
const isThere = (node, x, y) => x < 0 || x >= innerWidth || isOut(node, y) || isHit(node, x, y);

function isOut(node, y) {
  if (y < 0 || y >= innerHeight) return true;
  for (let around = node.parentElement; around; around = around.parentElement) {
    if (getComputedStyle(around).overflowY === 'visible') continue;
    const { top, bottom } = around.getBoundingClientRect();
    if (y < top || y >= bottom) return true;
  }
  return false;
}

function smallTargets(shown, nameOf) {
  const small = [];
  for (const node of document.querySelectorAll('a[href], button, input, select, textarea, summary, [role="tab"]')) {
    if (!shown(node) || node.closest('.visually-hidden, [inert]') || node.matches('.skip, [type="file"]')) continue;
    const box = node.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    // a link in a sentence is as high as its line; what is scrolled or covered is not there to be touched
    const isInText = getComputedStyle(node).display === 'inline' && node.closest('p, li, dd') !== null;
    if (isInText || box.width === 0 || !isHit(node, x, y)) continue;
    const least = node.closest(TIMED) ? 24 : 44;
    /** how far it answers that way, in pixels */
    const reach = (dx, dy) => {
      let far = 0;
      while (far < least && isThere(node, x + dx * (far + 1), y + dy * (far + 1))) far++;
      return far;
    };
    const isHigh = box.height >= least - 0.5 || reach(0, -1) + reach(0, 1) >= least - 2;
    const isBroad = box.width >= least - 0.5 || reach(-1, 0) + reach(1, 0) >= least - 2;
    if (!isHigh || !isBroad) small.push(`small: ${nameOf(node)} ${Math.round(box.width)}×${Math.round(box.height)}`);
  }
  return small;
}
