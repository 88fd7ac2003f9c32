// The colours of notes: other programs write any (`#ADD8E6`), the page has eight hues that are legible in the light and
// in the dark.

/** by hue @type {readonly string[]} */
const COLOURS = ['#BFEBDD', '#C9E7FF', '#E6DFFF', '#FFD8DE', '#F7E4C4', '#DBEECB', '#C3EEFA', '#FFDCCB'];
/** amber, as paper for notes is */
export const PLAIN = 4;
/** less colour than this is grey */
const LEAST_CHROMA = 12;

/** As other programs take it. @param {number} hue */
export const colourOf = (hue) => COLOURS[hue] ?? '';

/** The nearest hue; that of paper for what is no colour, or grey. @param {string} colour `#RRGGBB` */
export function hueOfColour(colour) {
  const parts = partsOf(colour);
  if (!parts) return PLAIN;
  const angle = angleOf(parts);
  if (angle === undefined) return PLAIN;
  let best = PLAIN;
  let least = Number.POSITIVE_INFINITY;
  COLOURS.forEach((each, hue) => {
    const other = angleOf(/** @type {number[]} */ (partsOf(each))) ?? 0;
    const away = Math.abs(((angle - other + 540) % 360) - 180);
    if (away >= least) return;
    least = away;
    best = hue;
  });
  return best;
}

/** @param {string} colour */
function partsOf(colour) {
  const found = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(colour.trim());
  return found?.slice(1).map((part) => Number.parseInt(part, 16));
}

/** The angle of the hue in degrees; undefined for grey. @param {number[]} parts */
function angleOf([red, green, blue]) {
  const most = Math.max(red, green, blue);
  const chroma = most - Math.min(red, green, blue);
  if (chroma < LEAST_CHROMA) return undefined;
  if (most === red) return (((green - blue) / chroma) * 60 + 360) % 360;
  return most === green ? ((blue - red) / chroma) * 60 + 120 : ((red - green) / chroma) * 60 + 240;
}
