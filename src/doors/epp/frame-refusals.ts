import { catalogue as common } from '../../operations/common-refusals.ts';
import { defineNamedRefusals } from '../../operations/named-refusal.ts';
import type { Catalogue } from '../../operations/refusal.ts';
import { catalogue as registry } from '../../registry/registry-refusals.ts';

/** Refusals of a frame before its command is carried out. */
export const catalogue = {
  unknownCommand: { code: 2000, kind: 'syntax', text: 'Unknown command', when: 'EPP has no such command' },
  malformedFrame: {
    code: 2001,
    kind: 'syntax',
    text: 'Command syntax error',
    when: 'the frame is not well-formed XML, has a DTD or too many elements, is nested too deeply, or is no EPP command',
  },
  unexpectedElement: {
    code: 2001,
    kind: 'syntax',
    text: 'Unexpected element: {field}',
    when: 'an element is not known at its place, or occurs more often than it may',
  },
  unexpectedText: {
    code: 2001,
    kind: 'syntax',
    text: 'Unexpected text in {field}',
    when: 'an element that is empty by its schema has text',
  },
  notLoggedIn: {
    code: 2002,
    kind: 'rule',
    text: 'Command use error: log in first',
    when: 'a command other than hello and login comes before a login',
  },
  loggedInAlready: {
    code: 2002,
    kind: 'rule',
    text: 'Command use error: this session is logged in already',
    when: 'a second login comes on one connection',
  },
  framesBeforeLogin: {
    code: 2501,
    kind: 'unauthenticated',
    text: 'Authentication error; server closing connection',
    when: 'none of the first three frames of a connection was a login that succeeded',
  },
  certificateMissing: {
    code: 2501,
    kind: 'unauthenticated',
    text: 'Authentication error; server closing connection: a client certificate is required',
    when: 'the server requires client certificates, and the connection has none',
  },
  tooMuchIsReceived: {
    code: 2502,
    kind: 'limited',
    text: 'Session limit exceeded; server closing connection: too many large frames are being received, try again',
    when: 'the frames that are being received of all registrars take too much memory, and this is the largest of them',
  },
  elementMissing: {
    code: 2003,
    kind: 'syntax',
    text: 'Required parameter missing: {field}',
    when: 'a required element or attribute is absent or empty',
  },
  emptyUpdate: {
    code: 2003,
    kind: 'syntax',
    text: 'Required parameter missing: an update changes something',
    when: 'an update neither adds, removes nor changes anything',
  },
  otherVersion: {
    code: 2100,
    kind: 'syntax',
    text: 'Unimplemented protocol version: {version}',
    when: 'the envelope or the login names another version than 1.0',
  },
  unimplementedCommand: {
    code: 2101,
    kind: 'rule',
    text: 'Unimplemented command: {command} of {object} objects',
    when: 'contacts are to be transferred or renewed',
  },
  unimplementedOption: {
    code: 2102,
    kind: 'rule',
    text: 'Unimplemented option: {field}',
    when: 'a language other than en, maxSigLife, urgent, or a period of a transfer is asked for',
  },
  unimplementedExtension: {
    code: 2103,
    kind: 'rule',
    text: 'Unimplemented extension: {namespace}',
    when: 'an extension is not known, or not with this command',
  },
  notPending: {
    code: 2301,
    kind: 'rule',
    text: 'Object not pending transfer: transfers are done at once',
    when: 'a transfer is to be approved, rejected or cancelled',
  },
  hostObjects: {
    code: 2306,
    kind: 'rule',
    text: 'Parameter value policy error: nameservers are attributes, hostAttr instead of hostObj',
    when: 'nameservers are given as host objects',
  },
  delegationSigners: {
    code: 2306,
    kind: 'rule',
    text: 'Parameter value policy error: keyData instead of dsData',
    when: 'delegation signer records are given instead of keys',
  },
  unsupportedField: {
    code: 2306,
    kind: 'rule',
    text: 'Parameter value policy error: {field} is not supported',
    when: 'an organisation beside the name, a fax number, a billing contact, a second postalInfo or authInfo other than pw is given',
  },
  unimplementedService: {
    code: 2307,
    kind: 'rule',
    text: 'Unimplemented object service: {namespace}',
    when: 'an object is of none of the announced namespaces, or a login names none of them',
  },
  restorePolicy: {
    code: 2308,
    kind: 'rule',
    text: 'Data management policy violation: a deleted domain is brought back by a renewal',
    when: 'a restore by rgp-1.0 is asked for',
  },
} as const satisfies Catalogue;

const maker = defineNamedRefusals({ ...common, ...registry, ...catalogue });
export const refusal = maker.refusal;
export const refuse: typeof maker.refuse = maker.refuse;
