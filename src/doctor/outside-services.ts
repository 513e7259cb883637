import { ProviderRefused } from '../billing/provider/provider.ts';
import { smtpMailer } from '../platform/mail/smtp.ts';
import { fine, type OutsideCheck, problem, warning } from './check.ts';

/** Greets the mail server and logs in where it takes a login; no mail is sent. */
export const mailCheck: OutsideCheck = {
  name: 'mail',
  async examine({ mode, smtpUrl, mailFrom }) {
    if (mode === 'sandbox') return [fine('nothing leaves a sandbox: it shows its mails at /sandbox/mail')];
    if (smtpUrl === undefined || mailFrom === undefined)
      return [warning('SMTP_URL is not set: mails wait.', 'Set SMTP_URL and MAIL_FROM for work.')];
    const { hostname } = new URL(smtpUrl);
    const mailer = smtpMailer(smtpUrl, mailFrom);
    try {
      await mailer.greet();
      return [fine(`${hostname} lets us in; mails come from ${mailFrom}`)];
    } catch (error) {
      return [
        problem(
          `${hostname} does not let us in (${error instanceof Error ? error.message : String(error)}): mails wait.`,
          'Check SMTP_URL: address, port, login, and whether this machine may reach it.',
        ),
      ];
    } finally {
      mailer.close();
    }
  },
};

/** No payment has it. The provider is asked about it, which changes nothing. */
const NOBODYS_REFERENCE = 'cadastre-doctor';

export const providerCheck: OutsideCheck = {
  name: 'payment provider',
  async examine(config, { openProvider }) {
    const provider = openProvider(config);
    // A provider that is not set is reported with the settings.
    if (!provider) return [];
    try {
      await provider.payment(NOBODYS_REFERENCE);
      return [fine('answers, and takes our login')];
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error);
      return error instanceof ProviderRefused
        ? [
            problem(
              `It refuses our question (${said}).`,
              'Check PROVIDER_USER, PROVIDER_SECRET and PROVIDER_URL.',
            ),
          ]
        : [
            problem(
              `${said} Nobody can pay.`,
              config.mode === 'sandbox'
                ? 'Run the doctor with the PORT of the sandbox.'
                : 'Check PROVIDER_URL, and whether this machine may reach it.',
            ),
          ];
    }
  },
};
