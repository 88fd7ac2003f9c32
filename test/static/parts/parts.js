// Every part of static/ui/ on one page, for parts.browser.ts, which serves this file beside them.

import { element } from './core/dom.js';
import { avatar } from './ui/avatar.js';
import { chipsField } from './ui/chips.js';
import { dateField, datePicker } from './ui/date-picker.js';
import { openDialog } from './ui/dialog.js';
import { dropZone } from './ui/drop-zone.js';
import { editor } from './ui/editor/editor.js';
import { icon } from './ui/icon.js';
import { openMenu } from './ui/menu.js';
import { openPopover } from './ui/popover.js';
import { emptyState, skeleton } from './ui/states.js';
import { segmented, tabs } from './ui/tabs.js';
import { showToast } from './ui/toast.js';

const parts = document.getElementById('parts');
/** what happened, for the test */
const heard = [];
globalThis.heard = heard;
const hear = (what) => (value) => heard.push(value === undefined ? what : `${what} ${value}`);

const part = (title, ...content) => {
  const id = `part-${parts.childElementCount}`;
  const heading = element('h2', { class: 'section', id }, title);
  parts.append(element('section', { class: 'stack', 'aria-labelledby': id }, heading, ...content));
};
const button = (label, press, kind) =>
  element('button', { type: 'button', class: 'btn', 'data-kind': kind, on: { click: press } }, label);
const group = (...content) => element('div', { class: 'group', 'data-gap': '2' }, ...content);

part(
  'Buttons',
  group(button('Send', hear('send'), 'primary'), button('Reply', hear('reply')), button('Cancel', hear('no'), 'quiet')),
  group(
    element('button', { type: 'button', class: 'btn', disabled: true }, icon('send', { size: 'small' }), 'Send'),
    element(
      'button',
      { type: 'button', class: 'btn', 'aria-pressed': 'true' },
      icon('eye', { size: 'small' }),
      'Pressed',
    ),
    element('button', { type: 'button', class: 'btn-icon', 'aria-label': 'Archive' }, icon('archive')),
  ),
);
const names = ['Ruth Feld', 'Ines Duarte', 'Tomas Beck', 'Leila Nazari', 'Leon Abara', 'Maya Okafor', 'bob', 'harold'];
part(
  'Avatars',
  group(...names.map((name) => avatar(name))),
  group(
    avatar('Ruth Feld', { size: 'small' }),
    avatar('Ruth Feld', { isOnline: true }),
    avatar('Ruth', { size: 'large' }),
  ),
);
const items = [
  { label: 'Reply', icon: 'reply', keys: 'R', run: hear('menu reply') },
  { label: 'Archive', icon: 'archive', keys: 'E', run: hear('menu archive') },
  { separator: true },
  { label: 'Read only', checked: true, run: hear('menu read only') },
  { label: 'Move to a room', icon: 'folder', keys: 'V', disabled: true, run: hear('menu move') },
  { label: 'Delete', icon: 'trash', keys: '#', run: hear('menu delete') },
];
const facts = () => [
  element('h3', { class: 'event-title' }, 'Boiler inspection'),
  element('p', { class: 'line small' }, icon('place'), 'Cellar of number 9'),
  group(button('Accept', hear('accept')), button('Maybe', hear('maybe'), 'quiet')),
];
part(
  'Menu, popover, dialog',
  group(
    element(
      'button',
      { type: 'button', class: 'btn', on: { click: (event) => openMenu(event.currentTarget, items) } },
      'Message',
    ),
    element(
      'button',
      {
        type: 'button',
        class: 'btn',
        on: { click: (event) => openPopover(event.currentTarget, facts(), { label: 'Boiler' }) },
      },
      'Event',
    ),
  ),
  group(
    button('Delete room', async () => {
      const actions = [
        { label: 'Keep it', value: 'keep' },
        { label: 'Delete room', kind: 'danger', value: 'delete' },
      ];
      const body = 'Its 214 messages and 9 files go with it. This cannot be undone.';
      heard.push(`dialog ${await openDialog({ title: 'Delete the room Garden?', body, actions })}`);
    }),
    button('New room', async () => {
      const input = element('input', { class: 'input', id: 'new-room', required: true });
      const body = element('p', { class: 'field' }, element('label', { for: 'new-room' }, 'Room name'), input);
      const actions = [{ label: 'Cancel' }, { label: 'Make room', kind: 'primary', value: 'make' }];
      const attempt = async () => (input.value === 'Lobby' ? 'There is a room Lobby already.' : undefined);
      heard.push(`room ${await openDialog({ title: 'New room', body, actions, attempt })} ${input.value}`);
    }),
    button('Delete note', () => showToast('Note deleted', { action: { label: 'Undo', run: hear('undo') } })),
    button('Send mail', () =>
      showToast('Sending', { action: { label: 'Call back', run: hear('back') }, expired: hear('sent') }),
    ),
    button('Say', () => showToast(`Said ${heard.push('said')}`)),
  ),
);
part(
  'Fields',
  element(
    'p',
    { class: 'field' },
    element('label', { for: 'f1' }, 'Room name'),
    element('input', { class: 'input', id: 'f1' }),
  ),
  dateField({ id: 'due', label: 'Due', value: '2026-05-14', onChange: hear('due') }),
  segmented(
    [
      { label: 'Compact', value: 'compact' },
      { label: 'Normal', value: 'normal', selected: true },
      { label: 'Roomy', value: 'roomy' },
    ],
    { label: 'Density', onChange: hear('density') },
  ),
  tabs(
    [
      { label: 'Topics', value: 'topics', selected: true },
      { label: 'Files', value: 'files' },
    ],
    { label: 'Garden', onChange: hear('tab') },
  ),
);
part('Month', datePicker({ value: '2026-05-14', firstDay: 1, label: 'Day', onChange: hear('day') }));
part(
  'Empty and waiting',
  emptyState({
    icon: 'tasks',
    text: 'No tasks. Add the first one.',
    action: { label: 'Add a task', icon: 'plus', run: hear('add') },
  }),
  skeleton(3),
);
const zone = element('div', { class: 'drop-zone' }, icon('upload'), element('p', {}, 'Drop files here'));
dropZone(zone, (files) => heard.push(`files ${files.map(({ name }) => name)}`));
part('Files under way', zone);

const known = names.map((name) => ({
  value: name,
  label: name,
  detail: `${name.split(' ')[0].toLowerCase()}@x.example`,
}));
const to = chipsField({
  id: 'to',
  label: 'To',
  values: ['Ines Duarte', 'Tomas Beck'],
  suggest: async (words) => known.filter(({ label }) => label.toLowerCase().startsWith(words.toLowerCase())),
  check: (value) => (names.includes(value) || value.includes('@') ? undefined : 'There is nobody of that name.'),
  onChange: (values) => heard.push(`to ${values.join('|')}`),
});
const text = editor({ label: 'Message', html: '<p>Hello both,</p>', placeholder: 'Write a message' });
globalThis.text = text;
part('New message', to.node, text.node);
