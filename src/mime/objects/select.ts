// The components and properties of an object that a report asks for (RFC 4791 sections 9.6.1 to 9.6.4,
// RFC 6352 section 10.4).

import { isNamed } from './card-filter.ts';
import { makeLine } from './components.ts';
import type { Component, ContentLine } from './content-lines.ts';

export interface PropSelection {
  name: string;
  /** only that it is there */
  isWithoutValue: boolean;
}

export interface CompSelection {
  name: string;
  /** undefined: all (`allprop`) */
  props: readonly PropSelection[] | undefined;
  /** undefined: all (`allcomp`) */
  comps: readonly CompSelection[] | undefined;
}

/** A selection that names neither properties nor components means all of both, as in RFC 4791 section 7.8.1. */
export function selectComponent(component: Component, { props, comps }: CompSelection): Component {
  if (props?.length === 0 && comps?.length === 0) return component;
  const wanted = comps && new Map(comps.map((one) => [one.name.toUpperCase(), one]));
  return {
    name: component.name,
    lines: props ? selectLines(component.lines, props) : component.lines,
    components: wanted
      ? component.components.flatMap((one) => {
          const selection = wanted.get(one.name);
          return selection ? [selectComponent(one, selection)] : [];
        })
      : component.components,
  };
}

/** A contact with these properties only; none named: all. */
export function selectCard(card: Component, props: readonly PropSelection[]): Component {
  return props.length === 0 ? card : { ...card, lines: selectLines(card.lines, props) };
}

function selectLines(lines: readonly ContentLine[], props: readonly PropSelection[]): ContentLine[] {
  const byName = new Map<string, PropSelection[]>();
  for (const one of props) {
    const name = one.name.toUpperCase().split('.').at(-1)!;
    byName.set(name, [...(byName.get(name) ?? []), one]);
  }
  return lines.flatMap((line) => {
    const wanted = byName.get(line.name)?.find(({ name }) => isNamed(line, name));
    if (!wanted) return [];
    return wanted.isWithoutValue
      ? [makeLine(line.group === '' ? line.name : `${line.group}.${line.name}`, '')]
      : [line];
  });
}
