import type { PortCommands } from '../doors/pages/home.ts';
import type { Config } from '../platform/config/config.ts';
import { version } from '../platform/version.ts';
import { sandboxKeys } from './sandbox-keys.ts';
import { LOOKUP_PATH, RDAP_PATH } from './sandbox-pages.ts';
import { seed } from './seed.ts';
import type { RunningDoors } from './start-doors.ts';

/** What is known once it is ready. */
export type SandboxFacts = Pick<RunningDoors, 'url' | 'metricsUrl' | 'consoleUrl' | keyof PortCommands> & {
  readonly notes: readonly string[];
};

/** Printed once the sandbox is ready: URLs and credentials for first use. */
export function banner(
  { url, metricsUrl, consoleUrl, eppCommand, dnsCommand, whoisCommand, notes }: SandboxFacts,
  config: Config,
): string {
  const users = seed.users.map(
    ({ registrar, username, password, roles }) =>
      `    ${registrar.padEnd(6)}  ${`${username} / ${password}`.padEnd(48)}  ${roles.join(', ')}`,
  );
  const people = seed.people.map(
    ({ registrar, email, password, roles }) =>
      `    ${registrar.padEnd(6)}  ${`${email} / ${password}`.padEnd(62)}  ${roles.join(', ')}`,
  );
  return [
    '',
    `  Cadastre ${version} sandbox is ready`,
    '',
    `    start here      ${url}/`,
    `    registrar API   ${url}/registry/v1`,
    `    reservations    ${url}/api/v1/business_registry`,
    `    billing         ${url}/api/v1`,
    `    console         ${consoleUrl}`,
    `    look-up         ${url}${LOOKUP_PATH}`,
    `    RDAP            ${url}${RDAP_PATH}`,
    `    API reference   ${url}/docs`,
    `    health          ${url}/health`,
    `    metrics         ${metricsUrl}`,
    `    data and logs   ${config.home}`,
    '',
    '  API users (user / password, roles)',
    ...users,
    '',
    '  People of the console (email address / password, roles)',
    ...people,
    '',
    '  Other keys',
    ...sandboxKeys(config).map(({ what, key }) => `    ${what.padEnd(52)}  ${key}`),
    '',
    '  Try it',
    `    curl -u alpha:alpha-sandbox-password ${url}/registry/v1/contacts`,
    ...(eppCommand === undefined ? [] : ['', '  EPP', `    ${eppCommand}`]),
    ...(dnsCommand === undefined ? [] : ['', '  DNS', `    ${dnsCommand}`]),
    ...(whoisCommand === undefined ? [] : ['', '  WHOIS', `    ${whoisCommand}`]),
    '',
    ...notes.map((note) => `  ${note}\n`),
    '  Ctrl-C stops everything; the data stays.',
    '',
  ].join('\n');
}
