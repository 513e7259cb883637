import { authenticatorKeys } from '../registry/people/authenticator-secrets.ts';
import { countSecrets } from '../registry/people/count-secrets.ts';
import { type DatabaseCheck, type Finding, ok, problem, warning } from './check.ts';

export const authenticatorSecretsCheck: DatabaseCheck = {
  name: 'authenticator apps',
  async examine({ config, sql: db }) {
    const { current, outdated, unreadable } = await countSecrets(db, authenticatorKeys(config));
    const found: Finding[] = [];
    if (unreadable > 0)
      found.push(
        problem(
          `Secrets of authenticator apps that cannot be decrypted: ${unreadable}. Codes of these apps are refused.`,
          'Set CONSOLE_SECRET, or CONSOLE_SECRET_PREVIOUS, to the one that they were encrypted with; if it is lost: cadastre person reset.',
        ),
      );
    if (outdated > 0)
      found.push(
        warning(
          `Secrets of authenticator apps in clear text, or encrypted with the previous secret: ${outdated}.`,
          'Set CONSOLE_SECRET, and run: cadastre person encrypt',
        ),
      );
    return found.length > 0 ? found : [ok(`secrets encrypted with CONSOLE_SECRET: ${current}, others: 0`)];
  },
};
