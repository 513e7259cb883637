import { accessPage } from './access/access-page.ts';
import { addressChanges } from './access/address-changes.ts';
import {
  certificateChanges,
  certificateExport,
  certificateRevocation,
} from './access/certificate-changes.ts';
import { userChanges } from './access/user-changes.ts';
import { userPage } from './access/user-page.ts';
import { accountPage } from './account/account-page.ts';
import { codeGeneratorChanges, codeGeneratorPage } from './account/code-generator-page.ts';
import { identityChange } from './account/identity-change.ts';
import { passkeyChanges, passkeysPage } from './account/passkeys-page.ts';
import { passwordChange, passwordPage } from './account/password-page.ts';
import { sessionChanges } from './account/session-changes.ts';
import { activityPage } from './activity/activity-page.ts';
import { bulkForms, bulkPage } from './bulk/bulk-overview-page.ts';
import { columnChanges } from './columns/column-changes.ts';
import { contactChange } from './contacts/contact-change-form.ts';
import { contactPage } from './contacts/contact-page.ts';
import { contactsExport, contactsPage } from './contacts/contacts-page.ts';
import { contactFinder } from './contacts/contact-finder.ts';
import { contactCreation } from './contacts/contact-creation-form.ts';
import { contactDeletion } from './contacts/contact-deletion-form.ts';
import { contactsChange } from './domains/contacts-form.ts';
import { keysChange } from './domains/keys-form.ts';
import { nameserversChange } from './domains/nameservers-form.ts';
import { registrantChange } from './domains/registrant-form.ts';
import { domainDeletion } from './domains/deletion-form.ts';
import { domainPage, showTransferCode } from './domains/domain-page.ts';
import { domainsExport } from './domains/domains-export.ts';
import { domainsPage } from './domains/domains-page.ts';
import { nameAvailability } from './domains/name-availability.ts';
import { holdChanges } from './domains/hold-form.ts';
import { domainRegistration } from './domains/registration-form.ts';
import { domainRenewal } from './domains/renewal-form.ts';
import { requestChanges } from './domains/request-changes.ts';
import { transferCodeReplacement } from './domains/transfer-code-form.ts';
import { domainTransfer } from './domains/transfer-form.ts';
import { figuresPage } from './figures/figures-page.ts';
import { jobChanges } from './jobs/job-changes.ts';
import { jobExport } from './jobs/job-export.ts';
import { jobPage } from './jobs/job-page.ts';
import { jobsPage } from './jobs/jobs-page.ts';
import { messageAcknowledgement } from './messages/acknowledge-messages.ts';
import { messagePage } from './messages/message-page.ts';
import { messagesPage } from './messages/messages-page.ts';
import { accountSettings } from './money/account-settings.ts';
import { balanceExport } from './money/balance-export.ts';
import { balancePage } from './money/balance-page.ts';
import { customersPage } from './money/customers-page.ts';
import { invoiceFiles } from './money/invoice-files.ts';
import { invoicePage } from './money/invoice-page.ts';
import { invoicesExport, invoicesPage } from './money/invoices-page.ts';
import { statementFiles, statementPage } from './money/statement-page.ts';
import { statementsPage } from './money/statements-page.ts';
import { topUp } from './money/top-up-form.ts';
import { searchPage } from './search/search-everything.ts';
import { ownChanges } from './own-changes.ts';
import type { ConsoleChange, ConsoleExport, ConsolePage } from './console-page.ts';
import { invitationChanges } from './people/invitations.ts';
import { factorsReset, personChanges, personRemoval } from './people/people-changes.ts';
import { peoplePage } from './people/people-page.ts';
import { personPage } from './people/person-page.ts';
import { snoozeChanges } from './start/snooze-changes.ts';
import { startPage } from './start/start-page.ts';
import { deliveryPage } from './webhooks/delivery-page.ts';
import { viewChanges } from './views/view-changes.ts';
import { webhookChanges } from './webhooks/webhook-changes.ts';
import { webhookOperations } from './webhooks/webhook-operations.ts';
import { webhookPage } from './webhooks/webhook-page.ts';
import { webhooksPage } from './webhooks/webhooks-page.ts';

/** Operations as forms: each is a page and a change. */
const operations = [
  domainRegistration,
  domainTransfer,
  domainRenewal,
  registrantChange,
  contactsChange,
  nameserversChange,
  keysChange,
  transferCodeReplacement,
  domainDeletion,
  contactCreation,
  contactChange,
  contactDeletion,
  ...webhookOperations,
  personRemoval,
  factorsReset,
  certificateRevocation,
];

/** Every page of the console; those of the menu in its order. */
export const consolePages: readonly ConsolePage[] = [
  startPage,
  searchPage,
  domainsPage,
  domainPage,
  bulkPage,
  ...bulkForms.map(({ page }) => page),
  jobsPage,
  jobPage,
  contactsPage,
  contactPage,
  messagesPage,
  messagePage,
  figuresPage,
  balancePage,
  customersPage,
  topUp.page,
  accountSettings.page,
  invoicesPage,
  invoicePage,
  statementsPage,
  statementPage,
  peoplePage,
  personPage,
  accessPage,
  userPage,
  webhooksPage,
  webhookPage,
  deliveryPage,
  activityPage,
  accountPage,
  passwordPage,
  codeGeneratorPage,
  passkeysPage,
  ...operations.map(({ page }) => page),
];

/** Files to download. */
export const consoleExports: readonly ConsoleExport[] = [
  nameAvailability,
  contactFinder,
  domainsExport,
  contactsExport,
  balanceExport,
  invoicesExport,
  certificateExport,
  jobExport,
  ...invoiceFiles,
  ...statementFiles,
];

export const consoleChanges: readonly ConsoleChange[] = [
  ...ownChanges,
  ...sessionChanges,
  passwordChange,
  ...codeGeneratorChanges,
  ...passkeyChanges,
  showTransferCode,
  ...holdChanges,
  ...requestChanges,
  topUp.change,
  accountSettings.change,
  ...operations.map(({ change }) => change),
  ...bulkForms.map(({ change }) => change),
  ...jobChanges,
  messageAcknowledgement,
  ...viewChanges,
  ...columnChanges,
  ...snoozeChanges,
  identityChange,
  ...invitationChanges,
  ...personChanges,
  ...userChanges,
  ...addressChanges,
  ...certificateChanges,
  ...webhookChanges,
];
