// A message as it came: its headers and everything behind them, to read and to save.

import { readSource, sourcePath } from '../../api/messages.js';
import { element } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import { openDialog } from '../../ui/dialog.js';
import { icon } from '../../ui/icon.js';
import { tellProblem } from '../../ui/notices.js';

/** @import { RoomStore } from '../../model/room-store.js' */

/** shown of it: behind the headers and the text there are files, which nobody reads like this */
const MOST_SHOWN = 256 * 1024;

/** @param {RoomStore} store @param {number} msgnum */
export const showSource = (store, msgnum) =>
  tellProblem(async () => {
    const text = await readSource(store.name, msgnum, MOST_SHOWN);
    const save = { class: 'btn', 'data-kind': 'quiet', href: sourcePath(store.name, msgnum), download: 'message.eml' };
    await openDialog({
      title: t('message.source'),
      size: 'large',
      body: [
        element('pre', { class: 'source card box', tabindex: 0, 'aria-label': t('message.source') }, text),
        element('p', {}, element('a', save, icon('download', { size: 'small' }), t('message.save-source'))),
      ],
      actions: [{ label: t('ui.close') }],
    });
  });
