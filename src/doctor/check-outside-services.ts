import { ProviderRefused } from '../billing/provider/provider.ts';
import { smtpMailer } from '../platform/mail/smtp.ts';
import { ok, problem, type ServiceCheck, warning } from './check.ts';

/** Connects to the mail server and logs in if it requires that; sends no mail. */
export const mailCheck: ServiceCheck = {
  name: 'mail',
  async examine({ mode, smtpUrl, mailFrom }) {
    if (mode === 'sandbox') return [ok('nothing leaves a sandbox: it shows its mails at /sandbox/mail')];
    if (smtpUrl === undefined || mailFrom === undefined)
      return [warning('SMTP_URL is not set: mails wait.', 'Set SMTP_URL and MAIL_FROM for work.')];
    const { hostname } = new URL(smtpUrl);
    const mailer = smtpMailer(smtpUrl, mailFrom);
    try {
      await mailer.greet();
      return [ok(`${hostname} lets us in; mails come from ${mailFrom}`)];
    } catch (error) {
      return [
        problem(
          `${hostname} does not let us in (${error instanceof Error ? error.message : String(error)}): mails wait.`,
          'Check SMTP_URL: address, port, login, and whether this machine may reach it.',
        ),
      ];
    } finally {
      await mailer.close();
    }
  },
};

/** A reference that no payment has: querying it changes nothing. */
const UNKNOWN_REFERENCE = 'cadastre-doctor';

export const providerCheck: ServiceCheck = {
  name: 'payment provider',
  async examine(config, { openProvider }) {
    const provider = openProvider(config);
    // A missing provider is reported by the settings check.
    if (!provider) return [];
    try {
      await provider.payment(UNKNOWN_REFERENCE);
      return [ok('answers, and takes our login')];
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return error instanceof ProviderRefused
        ? [
            problem(
              `It refuses our question (${reason}).`,
              'Check PROVIDER_USER, PROVIDER_SECRET and PROVIDER_URL.',
            ),
          ]
        : [
            problem(
              `It does not answer as it should (${reason.replace(/\.$/, '')}): nobody can pay.`,
              config.mode === 'sandbox'
                ? 'Run the doctor with the PORT of the sandbox.'
                : 'Check PROVIDER_URL, and whether this machine may reach it.',
            ),
          ];
    }
  },
};
