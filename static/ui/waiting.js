// The mark of what is shown as it will be, and waits for the connection.

import { t } from '../core/i18n.js';
import { icon } from './icon.js';

export const waitingMark = () => icon('clock', { size: 'small', label: t('outbox.waits') });
