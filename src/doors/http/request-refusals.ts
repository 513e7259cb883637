import { catalogue as common } from '../../operations/common-refusals.ts';
import { defineNamedRefusals } from '../../operations/named-refusal.ts';
import type { Catalogue } from '../../operations/refusal.ts';
import { withCommas } from '../../platform/values/normalise-text.ts';
import { MAX_BODY_BYTES } from './limits.ts';

/** Refusals of an HTTP request before its content is interpreted. Each API renders them in its own format. */
export const catalogue = {
  malformedJson: {
    code: 2001,
    kind: 'syntax',
    text: 'Request body is not valid JSON',
    when: 'the body is not JSON, or not UTF-8',
  },
  malformedRequest: {
    code: 2001,
    kind: 'syntax',
    text: 'Request is not valid HTTP',
    when: 'the request line, a header or the framing is broken, the Host header is missing, invalid or there twice, or the request took too long to arrive',
  },
  bodyTooLarge: {
    code: 2004,
    kind: 'syntax',
    text: 'Request body is larger than {mebibytes} MiB',
    when: `the body has more than ${withCommas(MAX_BODY_BYTES)} bytes, or an import or a form more than it may have`,
  },
  tooManyValues: {
    code: 2004,
    kind: 'syntax',
    text: 'Request body holds more than {most} values',
    when: 'the objects and lists of the body hold more values than any call takes',
  },
  unknownField: {
    code: 2005,
    kind: 'syntax',
    text: 'Unknown field: {field}',
    when: 'a body or query has a member that the call does not know',
  },
  unprintableText: {
    code: 2005,
    kind: 'syntax',
    text: '{field} holds characters that cannot be stored',
    when: 'a text holds a NUL or half of a surrogate pair',
  },
  unknownPath: { code: 2000, kind: 'unknown-path', text: 'Unknown path', when: 'no call has this path' },
  otherMethod: {
    code: 2101,
    kind: 'other-method',
    text: 'Method not allowed here; see the Allow header',
    when: 'the path exists with other methods',
  },
  otherFormat: {
    code: 2102,
    kind: 'other-format',
    text: 'Only JSON is spoken here',
    when: 'the Accept header leaves out JSON, or the body is declared as something else',
  },
  unreadableMediaType: {
    code: 2102,
    kind: 'other-format',
    text: 'Only JSON is spoken here',
    when: 'the Content-Type header is malformed',
  },
  teapot: {
    code: 2101,
    kind: 'teapot',
    text: 'This registry is a teapot',
    when: 'the body is declared as message/coffeepot (RFC 2324)',
  },
} as const satisfies Catalogue;

const maker = defineNamedRefusals({ ...common, ...catalogue });
export const refusal = maker.refusal;
export const refuse: typeof maker.refuse = maker.refuse;
