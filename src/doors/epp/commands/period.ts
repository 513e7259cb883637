import type { CommandReader } from '../command-reader.ts';
import type { XmlElement } from '../xml/element.ts';

/** Of the schemas of the standard dialect; the price list has far fewer. */
const MAX_PERIOD = 99;

export type Period = { readonly count: number; readonly unit: 'y' | 'm' };

/** A period; a year if there is none. */
export function readPeriod(
  element: XmlElement | undefined,
  reader: CommandReader,
  at?: readonly ['period'],
): Period {
  if (!element) return { count: 1, unit: 'y' };
  const text = reader.text(element, at);
  const isNumber = /^\d{1,5}$/.test(text);
  if (!isNumber) reader.wrong(element, 'a whole number');
  else if (Number(text) < 1 || Number(text) > MAX_PERIOD)
    reader.outOfRange(element, `a number from 1 to ${MAX_PERIOD}`);
  return { count: Number(text), unit: reader.choice(element, 'unit', ['y', 'm'], 'y') };
}
