// The picture of a contact: chosen from a file and cut to a square, so that it goes into the card.

import { element } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import { avatar } from '../../ui/avatar.js';
import { openDialog } from '../../ui/dialog.js';
import { icon } from '../../ui/icon.js';

/** pixels of a side */
const SIDE = 256;
const QUALITY = 0.85;
/** how near one may look */
const MOST_ZOOM = 4;

/** The picture of a card, else the initials. @param {{ name: string, photo: string }} contact */
export function faceOf({ name, photo }) {
  const face = avatar(name, { size: 'large' });
  // the page shows no pictures from elsewhere
  if (photo.startsWith('data:image/')) {
    const image = element('img', { alt: '', src: photo });
    image.addEventListener('error', () => image.remove());
    face.append(image);
  }
  return face;
}

/**
 * @param {{ name: string, photo: string }} contact
 */
export function photoField(contact) {
  let photo = contact.photo;
  const place = element('div', {}, faceOf(contact));
  const error = element('p', { class: 'error', role: 'alert' });
  const input = element('input', { type: 'file', id: 'photo', accept: 'image/*', class: 'visually-hidden' });
  const remove = element(
    'button',
    { type: 'button', class: 'btn', 'data-kind': 'quiet', hidden: photo === '', on: { click: () => set('') } },
    t('contacts.photo-remove'),
  );
  const set = (/** @type {string} */ value) => {
    photo = value;
    place.replaceChildren(faceOf({ name: contact.name, photo }));
    remove.hidden = photo === '';
    if (photo === '') input.focus();
  };
  input.addEventListener('change', async () => {
    const [file] = /** @type {FileList} */ (input.files);
    input.value = '';
    error.textContent = '';
    if (!file) return;
    try {
      const image = await createImageBitmap(file);
      const cut = await cutSquare(image);
      if (cut) set(cut);
    } catch {
      error.textContent = t('contacts.photo-unreadable');
    }
  });
  const node = element(
    'div',
    { class: 'line', 'data-gap': '4' },
    place,
    input,
    element('label', { class: 'btn file-button', for: 'photo' }, icon('image', { size: 'small' }), t('contacts.photo')),
    remove,
    error,
  );
  return { node, value: () => photo };
}

/** Which part of it; undefined where it was left. @param {ImageBitmap} image */
async function cutSquare(image) {
  const canvas = element('canvas', { width: SIDE, height: SIDE, tabindex: 0, role: 'img' });
  canvas.ariaLabel = t('contacts.photo-cut-hint');
  const least = SIDE / Math.min(image.width, image.height);
  let zoom = 1;
  let [x, y] = [0.5, 0.5];
  const draw = () => {
    const scale = least * zoom;
    const [width, height] = [image.width * scale, image.height * scale];
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    context.fillStyle = 'white';
    context.fillRect(0, 0, SIDE, SIDE);
    context.drawImage(image, (SIDE - width) * x, (SIDE - height) * y, width, height);
  };
  /** By pixels of the canvas. @param {number} across @param {number} down */
  const move = (across, down) => {
    const scale = least * zoom;
    const hidden = [image.width * scale - SIDE, image.height * scale - SIDE];
    if (hidden[0] > 0) x = Math.min(1, Math.max(0, x - across / hidden[0]));
    if (hidden[1] > 0) y = Math.min(1, Math.max(0, y - down / hidden[1]));
    draw();
  };
  const slider = element('input', { type: 'range', id: 'photo-zoom', min: 1, max: MOST_ZOOM, step: 0.05, value: 1 });
  slider.addEventListener('input', () => {
    zoom = Number(slider.value);
    draw();
  });
  canvas.addEventListener('pointerdown', (event) => canvas.setPointerCapture(event.pointerId));
  canvas.addEventListener('pointermove', (event) => {
    if (!canvas.hasPointerCapture(event.pointerId)) return;
    const size = SIDE / canvas.clientWidth;
    move(event.movementX * size, event.movementY * size);
  });
  canvas.addEventListener('keydown', (event) => {
    const by = { ArrowLeft: [8, 0], ArrowRight: [-8, 0], ArrowUp: [0, 8], ArrowDown: [0, -8] }[event.key];
    if (!by) return;
    event.preventDefault();
    move(by[0], by[1]);
  });
  draw();
  const answer = await openDialog({
    title: t('contacts.photo-cut'),
    body: [
      element('div', { class: 'photo-cut' }, canvas),
      element('p', { class: 'hint small' }, t('contacts.photo-cut-hint')),
      element('label', { for: 'photo-zoom' }, t('contacts.photo-zoom')),
      slider,
    ],
    actions: [
      { label: t('ui.cancel'), kind: 'quiet' },
      { label: t('contacts.photo-take'), kind: 'primary', value: 'take' },
    ],
    initial: slider,
  });
  return answer === 'take' ? canvas.toDataURL('image/jpeg', QUALITY) : undefined;
}
