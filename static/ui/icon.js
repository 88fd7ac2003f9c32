// Icons of the sprite icons.svg, drawn in the colour of the text around them.

const SVG = 'http://www.w3.org/2000/svg';
/** relative to the page; a module's own address changes when everything is put into one file */
const SPRITE = '../s/icons.svg';
/** what points along the line of reading, and points the other way where one reads from right to left */
const DIRECTED = new Set(
  'arrow-left chevron-left chevron-right reply reply-all forward send undo log-out list quote sidebar'.split(' '),
);

/**
 * Hidden from screen readers unless it has a label; then it stands alone and is read as a picture of that name.
 * @param {string} name id in the sprite, `reply-all`
 * @param {{ label?: string, size?: 'small' }} [options]
 */
export function icon(name, { label, size } = {}) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('class', 'icon');
  if (size) svg.setAttribute('data-size', size);
  if (DIRECTED.has(name)) svg.setAttribute('data-flip', '');
  if (label === undefined) {
    svg.setAttribute('aria-hidden', 'true');
  } else {
    svg.setAttribute('role', 'img');
    svg.setAttribute('aria-label', label);
  }
  const use = document.createElementNS(SVG, 'use');
  use.setAttribute('href', `${SPRITE}#${name}`);
  svg.append(use);
  return svg;
}
