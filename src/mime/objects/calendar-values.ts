// Times and durations as iCalendar writes them (RFC 5545 sections 3.3.5 and 3.3.6).

import { writtenTime } from '../../system/clock.ts';
import { DAY_SECONDS } from './calendar-time.ts';

/** `20060104T150000Z`; years that a calendar cannot write are the nearest it can. */
export function utcText(seconds: number): string {
  const iso = writtenTime(seconds).toISOString();
  return `${iso.slice(0, 4)}${iso.slice(5, 7)}${iso.slice(8, 13)}${iso.slice(14, 16)}${iso.slice(17, 19)}Z`;
}

/** Seconds → `PT1H`, `P1DT2H`, `-PT15M`, `PT0S`; the days are of 24 hours. */
export function durationText(seconds: number): string {
  const size = Math.abs(Math.trunc(seconds));
  const days = Math.floor(size / DAY_SECONDS);
  const parts: [number, string][] = [
    [Math.floor(size / 3600) % 24, 'H'],
    [Math.floor(size / 60) % 60, 'M'],
    [size % 60, 'S'],
  ];
  const time = parts.map(([count, unit]) => (count === 0 ? '' : `${count}${unit}`)).join('');
  const date = days === 0 ? '' : `${days}D`;
  if (date === '' && time === '') return 'PT0S';
  return `${seconds < 0 ? '-' : ''}P${date}${time === '' ? '' : `T${time}`}`;
}
