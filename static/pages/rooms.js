// The page of rooms of a phone: the sidebar in the place of the stage. On a desk the rooms are at the side anyway.

/** @param {HTMLElement} host */
export function show(host) {
  host.replaceChildren();
  // where the sidebar is in sight already there is nothing to show here
  if (!matchMedia('(width < 48rem)').matches) location.replace('#/');
}
