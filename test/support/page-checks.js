// What every state of the web client must hold for people who use a keyboard or a screen reader. Runs in the browser:
// web-client.ts evaluates it as text. Answers complaints, none when all is well.

// biome-ignore lint/correctness/noUnusedVariables: called by the text that is evaluated behind this one
function pageComplaints() {
  const isShown = (node) => node.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const shown = (selector) => [...document.querySelectorAll(selector)].filter(isShown);
  const complaints = [];
  const complain = (words, node) => complaints.push(`${words}: ${node ? node.outerHTML.slice(0, 120) : location.hash}`);

  const nameOf = (node) => {
    const labels = (node.getAttribute('aria-labelledby') ?? '').split(/\s+/).filter(Boolean);
    const byLabel = labels.map((id) => document.getElementById(id)?.textContent ?? '').join(' ');
    const label = [...(node.labels ?? [])].map((each) => each.textContent).join(' ');
    return (byLabel || node.getAttribute('aria-label') || label || node.title || node.textContent).trim();
  };
  for (const node of shown('a[href], button, input, textarea, select, summary, iframe, nav, section, dialog[open]')) {
    if (nameOf(node) === '') complain('no accessible name', node);
  }
  if (shown('h1').length !== 1) complain(`${shown('h1').length} h1`);
  if (shown('main').length > 1) complain('more than one main');
  for (const node of document.querySelectorAll('[tabindex]'))
    if (node.tabIndex > 0) complain('positive tabindex', node);
  for (const node of document.querySelectorAll('img:not([alt])')) complain('no alt', node);
  const ids = [...document.querySelectorAll('[id]')].map((node) => node.id);
  for (const id of new Set(ids.filter((each, i) => ids.indexOf(each) !== i))) complain(`id twice: ${id}`);
  if (document.documentElement.scrollWidth > innerWidth) complain('wider than the window');
  if (document.documentElement.lang === '') complain('no language');

  // WCAG 2.2, 1.4.3: relative luminance of text and of the ground that is painted behind it
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  /** red, green, blue, opacity of a colour in any notation, over another */
  const painted = (colours) => {
    canvas.clearRect(0, 0, 1, 1);
    for (const colour of colours) {
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
    }
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const luminance = (channels) => {
    const [red, green, blue] = channels.map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const groundsOf = (node) => {
    const grounds = [];
    for (let each = node; each; each = each.parentElement) {
      const ground = getComputedStyle(each).backgroundColor;
      const opacity = painted([ground])[3];
      if (opacity > 0) grounds.unshift(ground);
      if (opacity === 255) return grounds;
    }
    return ['rgb(255, 255, 255)', ...grounds];
  };
  const seen = new Set();
  for (const node of shown('body *')) {
    const hasText = [...node.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.data.trim() !== '');
    if (!hasText || node.closest('.visually-hidden')) continue;
    const [text, grounds] = [getComputedStyle(node).color, groundsOf(node)];
    const ground = grounds.join(' under ');
    if (seen.has(text + ground)) continue;
    seen.add(text + ground);
    const both = [painted([...grounds, text]), painted(grounds)];
    const [dark, light] = both.map(luminance).sort((a, b) => a - b);
    const contrast = (light + 0.05) / (dark + 0.05);
    if (contrast < 4.5) complain(`contrast ${contrast.toFixed(2)} of ${text} on ${ground}`, node);
  }
  return complaints;
}
