import { toUnicode } from 'tr46';
import { escapeInvisible, normaliseText } from '../../platform/values/normalise-text.ts';
import type { Policy } from '../../policy/policy.ts';
import { isZoneOrigin, MAX_TEXT_LENGTH, parseByTable } from './name.ts';

const MAX_SHOWN = 5;

/** Why parseDomainName refuses a text, as a clause about "it"; the first reason that applies. */
export function whyInvalid(text: string, policy: Policy): string {
  const written = normaliseText(text.trim(), MAX_TEXT_LENGTH)?.toLowerCase();
  if (written === undefined)
    return text.trim().length > MAX_TEXT_LENGTH
      ? `it has more than ${MAX_TEXT_LENGTH} characters`
      : 'a letter of it has too many combining marks';
  const labels = written.split('.');
  if (labels.includes('')) return 'it begins or ends with a dot, or has two in a row';
  const [label = '', ...rest] = labels;
  return whyNoZone(rest.join('.'), policy) ?? whyInvalidLabel(label, policy);
}

function whyNoZone(zone: string, policy: Policy): string | undefined {
  const zones = policy.zones.map(({ origin }) => origin);
  const list = `the zones are ${zones.join(', ')}`;
  if (zone === '') return `it names no zone; ${list}`;
  if (isZoneOrigin(zone, policy)) return undefined;
  const above = zones.findLast((origin) => zone.endsWith(`.${origin}`));
  return above === undefined
    ? `${quoted(zone)} is not a zone of this registry; ${list}`
    : `it has more than one label before ${above}; ${list}`;
}

function whyInvalidLabel(label: string, policy: Policy): string {
  const isPunycode = label.startsWith('xn--');
  const { domain: unicode, error } = toUnicode(label);
  if (isPunycode && (error || unicode === label || parseByTable(label) === undefined))
    return `${quoted(label)} is not valid punycode`;
  const shown = isPunycode ? unicode : label;
  const strange = [...new Set(shown)].filter((each) => each !== '-' && !policy.labels.test(each));
  if (strange.length > 0) {
    const more = strange.length > MAX_SHOWN ? ' and others' : '';
    return `it has characters that are not allowed here: ${strange.slice(0, MAX_SHOWN).map(quoted).join(', ')}${more}`;
  }
  if (shown.startsWith('-') || shown.endsWith('-')) return 'a label neither begins nor ends with a hyphen';
  if (shown.slice(2, 4) === '--') return 'a label has no hyphens in both its third and its fourth place';
  return 'a label has at most 63 characters, counted in punycode';
}

const quoted = (text: string): string => `"${escapeInvisible(text)}"`;
