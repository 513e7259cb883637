import { requireNone } from '../../operations/refusal.ts';
import type { CommandReader } from './command-reader.ts';
import { refusal } from './frame-refusals.ts';
import { NAMESPACES, objectKindOf } from './namespaces.ts';
import type { Command } from './epp-request.ts';
import type { XmlElement } from './xml/element.ts';

/** What stands in `pw` and `newPW` where the extension has the real ones (RFC 8807). */
const IN_EXTENSION = '[LOGIN-SECURITY]';
const MAX_USER_AGENT_LENGTH = 255;

type Login = {
  readonly username: string;
  readonly password: string;
  readonly newPassword: string | undefined;
  readonly userAgent: string | undefined;
  /** Namespaces of objects and extensions that the client names. */
  readonly services: ReadonlySet<string>;
};

/** The passwords may be longer than the schema allows: many clients have no login security extension. */
export function readLogin({ element, extensions, reader, envelope }: Command): Login {
  const read = reader.children(element, {
    ...({ clID: 'one', pw: 'one', newPW: 'maybe', options: 'one', svcs: 'one' } as const),
  });
  const security = readLoginSecurity(extensions, reader);
  const options = reader.children(read.options, { version: 'one', lang: 'one' });
  const services = readServices(read.svcs, reader);
  const username = reader.text(read.clID);
  const [pw, newPW] = [reader.text(read.pw), read.newPW && reader.text(read.newPW)];
  const [version, language] = [reader.text(options.version), reader.text(options.lang)];
  if (pw === IN_EXTENSION && security?.password === undefined)
    reader.refusals.push(refusal('elementMissing', { field: 'loginSec:pw' }));
  if (newPW === IN_EXTENSION && security?.newPassword === undefined)
    reader.refusals.push(refusal('elementMissing', { field: 'loginSec:newPW' }));
  requireNone(reader.refusals);
  requireNone([
    ...(version === '1.0' ? [] : [refusal('otherVersion', { version })]),
    ...(language === 'en' ? [] : [refusal('unimplementedOption', { field: 'lang' })]),
    // A client may name services that we do not have, but not only such.
    ...(isKnownService(services, envelope)
      ? []
      : [refusal('unimplementedService', { namespace: [...services][0] ?? '' })]),
  ]);
  return {
    username,
    password: pw === IN_EXTENSION ? (security?.password ?? '') : pw,
    newPassword: newPW === IN_EXTENSION ? security?.newPassword : newPW,
    userAgent: security?.userAgent,
    services,
  };
}

const isKnownService = (services: ReadonlySet<string>, envelope: string): boolean =>
  services.has(envelope) || [...services].some((uri) => objectKindOf(uri) !== undefined);

function readServices(element: XmlElement, reader: CommandReader): ReadonlySet<string> {
  const { objURI, svcExtension } = reader.children(element, { objURI: 'list', svcExtension: 'maybe' });
  if (objURI.length === 0) reader.refuse('elementMissing', { ...element, name: 'objURI', children: [] });
  const extURI = svcExtension ? reader.children(svcExtension, { extURI: 'list' }).extURI : [];
  return new Set([...objURI, ...extURI].map((each) => reader.optionalText(each) ?? ''));
}

function readLoginSecurity(extensions: readonly XmlElement[], reader: CommandReader) {
  for (const { namespace, name } of extensions)
    if (namespace !== NAMESPACES.loginSec || name !== 'loginSec')
      reader.refusals.push(refusal('unimplementedExtension', { namespace }));
  const [element] = extensions.filter(({ namespace }) => namespace === NAMESPACES.loginSec);
  if (!element) return undefined;
  const { userAgent, pw, newPW } = reader.children(element, {
    ...({ userAgent: 'maybe', pw: 'maybe', newPW: 'maybe' } as const),
  });
  return {
    password: reader.optionalText(pw),
    newPassword: reader.optionalText(newPW),
    userAgent: userAgent && readUserAgent(userAgent, reader),
  };
}

function readUserAgent(element: XmlElement, reader: CommandReader): string {
  const { app, tech, os } = reader.children(element, { app: 'maybe', tech: 'maybe', os: 'maybe' });
  return [app, tech, os]
    .flatMap((each) => reader.optionalText(each) ?? [])
    .join(' ')
    .slice(0, MAX_USER_AGENT_LENGTH);
}
