/** @type {import('../core/i18n.js').Catalogue} */
export const words = {
  'ui.loading': 'Chargement',
};
