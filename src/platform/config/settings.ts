import {
  accounts,
  addressRanges,
  headerList,
  headerName,
  integer,
  mailbox,
  oneOf,
  origins,
  pathPrefix,
  portOrOff,
  postgresUrl,
  prefixes,
  type SettingError,
  secrets,
  smtpUrl,
  timeOfDay,
  webUrl,
  word,
} from './setting-values.ts';

export type Mode = 'sandbox' | 'production';
export type Setting<T> = {
  readonly env: string;
  readonly read: (text: string) => T | SettingError;
  readonly fallback: Readonly<Record<Mode, T>>;
  readonly about: string;
  readonly secret?: boolean;
};

function setting<T>(
  env: string,
  read: (text: string) => T | SettingError,
  fallback: T | Record<Mode, T>,
  about: string,
  secret = false,
): Setting<T> {
  const perMode =
    typeof fallback === 'object' && fallback !== null && 'sandbox' in fallback
      ? fallback
      : { sandbox: fallback, production: fallback };
  return { env, read, fallback: perMode, about, secret };
}

const billingSecret = (initiator: string) =>
  setting<readonly string[]>(
    `BILLING_SECRET_${initiator.toUpperCase()}`,
    secrets,
    { sandbox: [`${initiator}-sandbox-secret`], production: [] },
    `signs the tokens of ${initiator}, and ours to it; two while one is being replaced, the newer first`,
    true,
  );
const serviceUrl = (env: string, initiator: string) =>
  setting<string | undefined>(
    env,
    webUrl,
    undefined,
    `where ${initiator} is notified of its invoices (the sandbox simulates it)`,
  );

/** Every setting. A test compares docs/configuration.md with this table. */
export const settings = {
  port: setting('PORT', integer(0, 65535), 8080, 'where the server listens'),
  host: setting(
    'HOST',
    word,
    '127.0.0.1',
    'the address it listens on (the sandbox needs --expose for any but loopback)',
  ),
  home: setting(
    'CADASTRE_HOME',
    word,
    '.cadastre',
    'the data directory of the embedded database, credentials and logs',
  ),
  databaseUrl: setting<string | undefined>(
    'DATABASE_URL',
    postgresUrl,
    undefined,
    'the PostgreSQL to use instead of the embedded one; several servers as host:port,host:port with ?target_session_attrs=read-write, TLS with ?sslmode=verify-full, a PgBouncer with ?pooler=transaction',
    true,
  ),
  ownerUrl: setting<string | undefined>(
    'DATABASE_OWNER_URL',
    postgresUrl,
    undefined,
    'the login that owns the schema and migrates it, when it is not the one of DATABASE_URL; never through a pooler',
    true,
  ),
  replicaUrl: setting<string | undefined>(
    'DATABASE_REPLICA_URL',
    postgresUrl,
    undefined,
    'standbys of that PostgreSQL, which then answer lists of registrars, with ?target_session_attrs=prefer-standby; never older than the request',
    true,
  ),
  publicUrl: setting<string | undefined>(
    'PUBLIC_URL',
    webUrl,
    undefined,
    'how people reach this server: links in pages and mails start with it',
  ),
  registrarApiAlias: setting<string | undefined>(
    'REGISTRAR_API_ALIAS',
    pathPrefix,
    { sandbox: '/repp/v1', production: undefined },
    'a second prefix of the registrar API, besides /registry/v1: that of the API which clients come from',
  ),
  smtpUrl: setting<string | undefined>(
    'SMTP_URL',
    smtpUrl,
    undefined,
    'the mail server, used by work; without it mails wait (the sandbox shows them instead of sending)',
    true,
  ),
  mailFrom: setting<string | undefined>(
    'MAIL_FROM',
    mailbox,
    undefined,
    'the sender of mails; required where SMTP_URL is set',
  ),
  metricsHost: setting(
    'METRICS_HOST',
    word,
    '127.0.0.1',
    'the address that /metrics listens on; it has no authentication (the sandbox needs --expose for any but loopback)',
  ),
  metricsPort: setting<number | undefined>(
    'METRICS_PORT',
    integer(0, 65535),
    undefined,
    'the port that /metrics listens on (default: PORT + 10000, or any free port)',
  ),
  otlpEndpoint: setting<string | undefined>(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    webUrl,
    undefined,
    'a collector of OpenTelemetry (OTLP over HTTP), which receives a span of each request and of its statements',
  ),
  otlpHeaders: setting<Readonly<Record<string, string>> | undefined>(
    'OTEL_EXPORTER_OTLP_HEADERS',
    headerList,
    undefined,
    'headers of requests to that collector, such as authorization=Bearer%20…',
    true,
  ),
  logLevel: setting(
    'LOG_LEVEL',
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'),
    'info',
    'how much is logged',
  ),
  rateLimitPerMinute: setting(
    'RATE_LIMIT_PER_MINUTE',
    integer(1, 1_000_000_000),
    { sandbox: 100_000, production: 1_000 },
    'requests per minute and API user, for each serve',
  ),
  failuresPerMinute: setting(
    'FAILED_LOGINS_PER_MINUTE',
    integer(1, 1_000_000),
    { sandbox: 600, production: 30 },
    'failed logins per minute, for one address (IPv6: for one /64) and for one username over all addresses except its known ones; a third of it for one username from one address. Also invalid confirmation links per address, and unknown reservations per token of the portal',
  ),
  trustedProxies: setting(
    'TRUSTED_PROXIES',
    addressRanges,
    [],
    'CIDR ranges whose X-Forwarded-For is trusted, and that must send a PROXY header (v2) on the EPP port',
  ),
  certificates: setting(
    'CERTIFICATES',
    oneOf('off', 'direct', 'proxy'),
    'off',
    'whether registrars must show a client certificate: not at all, to this server itself, or to a proxy in front of it',
  ),
  certificateHeader: setting(
    'CERTIFICATE_HEADER',
    headerName,
    'SSL_CLIENT_CERT',
    'the header in which a trusted proxy passes on the certificate; the proxy must remove it from what clients send',
  ),
  tlsKeyFile: setting<string | undefined>(
    'TLS_KEY_FILE',
    word,
    undefined,
    'the private key of this server, in PEM; with it and its certificate serve terminates TLS itself',
  ),
  tlsCertificateFile: setting<string | undefined>(
    'TLS_CERTIFICATE_FILE',
    word,
    undefined,
    'the certificate of this server and its intermediate certificates, in PEM',
  ),
  eppPort: setting<number | 'off' | undefined>(
    'EPP_PORT',
    portOrOff,
    undefined,
    'where EPP listens, on the address of HOST; off leaves it closed, as it is in production unless this is set (default in the sandbox: 8700, or any free port where that is taken or PORT is not 8080)',
  ),
  eppTlsKeyFile: setting<string | undefined>(
    'EPP_TLS_KEY_FILE',
    word,
    undefined,
    'the private key of the EPP server, in PEM (default: TLS_KEY_FILE; the sandbox has its own)',
  ),
  eppTlsCertificateFile: setting<string | undefined>(
    'EPP_TLS_CERTIFICATE_FILE',
    word,
    undefined,
    'the certificate of the EPP server and its intermediate certificates, in PEM (default: TLS_CERTIFICATE_FILE; the sandbox has its own)',
  ),
  eppCertificates: setting<'required' | 'optional'>(
    'EPP_CERTIFICATES',
    oneOf('required', 'optional'),
    { sandbox: 'optional', production: 'required' },
    "whether a registrar must show a client certificate to log in through EPP; one that is shown must be the user's in any case",
  ),
  eppSessionsPerRegistrar: setting(
    'EPP_SESSIONS_PER_REGISTRAR',
    integer(1, 10_000),
    { sandbox: 100, production: 4 },
    'EPP sessions of one registrar, over all servers',
  ),
  eppIdleTimeoutMs: setting(
    'EPP_IDLE_TIMEOUT_MS',
    integer(1_000, 86_400_000),
    300_000,
    'how long an EPP session may be idle before it is ended',
  ),
  dnsPort: setting<number | 'off' | undefined>(
    'DNS_PORT',
    portOrOff,
    undefined,
    'where secondaries transfer the zones, by UDP and TCP on the address of HOST; off leaves it closed, as it is in production unless this is set (default in the sandbox: 8053, or any free port where that is taken or PORT is not 8080)',
  ),
  caFolder: setting<string | undefined>(
    'CA_FOLDER',
    word,
    undefined,
    'the folder of the keys of our own authorities (default: ca in CADASTRE_HOME); needed only where certificates or their revocation lists are signed',
  ),
  caKeyPassphrase: setting<string | undefined>(
    'CA_KEY_PASSPHRASE',
    word,
    undefined,
    'encrypts those keys in their files',
    true,
  ),
  backupKeyFile: setting<string | undefined>(
    'BACKUP_KEY_FILE',
    word,
    undefined,
    'the file of the key that encrypts backups, at least 16 characters; without it none is written or restored unless it is to be readable by anybody',
  ),
  maxRequestsInFlight: setting(
    'MAX_REQUESTS_IN_FLIGHT',
    integer(1, 100_000),
    1_000,
    'requests in flight, beyond which new ones get 503',
  ),
  maxRequestsPerAddress: setting(
    'MAX_REQUESTS_PER_ADDRESS',
    integer(1, 100_000),
    { sandbox: 1_000, production: 250 },
    'requests in flight of one client address (IPv6: /64), beyond which its new ones get 503',
  ),
  maxConnectionsPerAddress: setting(
    'MAX_CONNECTIONS_PER_ADDRESS',
    integer(1, 100_000),
    { sandbox: 5_000, production: 500 },
    'open connections of one client address (IPv6: /64), beyond which a new one displaces the least used; trusted proxies are not limited',
  ),
  shutdownDelayMs: setting(
    'SHUTDOWN_DELAY_MS',
    integer(0, 600_000),
    { sandbox: 0, production: 5_000 },
    'how long serve still takes requests after a signal to stop while /ready answers 503: longer than a load balancer needs to notice',
  ),
  requestTimeoutMs: setting(
    'REQUEST_TIMEOUT_MS',
    integer(100, 600_000),
    30_000,
    'how long a client may take to send one request',
  ),
  answerTimeoutMs: setting(
    'ANSWER_TIMEOUT_MS',
    integer(1_000, 600_000),
    20_000,
    'the deadline of a request after it was received; then it gets 503 and has no effect any more (bulk calls: ten times as long)',
  ),
  statementTimeoutMs: setting(
    'STATEMENT_TIMEOUT_MS',
    integer(100, 600_000),
    10_000,
    'how long one statement may run',
  ),
  lockTimeoutMs: setting(
    'LOCK_TIMEOUT_MS',
    integer(50, 600_000),
    5_000,
    'how long a statement may wait for a lock',
  ),
  slowStatementMs: setting(
    'SLOW_STATEMENT_MS',
    integer(1, 600_000),
    1_000,
    'statements that take this long are logged, with their text and without their values',
  ),
  maxClockOffsetMs: setting(
    'MAX_CLOCK_OFFSET_MS',
    integer(100, 60_000),
    5_000,
    "how far the clock of this machine may be off the database's before everything that depends on time is refused; the sandbox has a clock of its own and does not check it",
  ),
  readConnections: setting(
    'READ_CONNECTIONS',
    integer(1, 200),
    1,
    'connections for short reads, pipelined; one keeps a process busy',
  ),
  listConnections: setting('LIST_CONNECTIONS', integer(1, 200), 3, 'connections for lists'),
  writeConnections: setting(
    'WRITE_CONNECTIONS',
    integer(1, 200),
    { sandbox: 4, production: 12 },
    'connections for writes',
  ),
  portalAllowedIps: setting(
    'PORTAL_ALLOWED_IPS',
    addressRanges,
    { sandbox: ['127.0.0.0/8', '::1/128'], production: [] },
    'CIDR ranges that the business portal may call from',
  ),
  portalRequestsPerMinute: setting(
    'PORTAL_REQUESTS_PER_MINUTE',
    integer(1, 1_000_000_000),
    { sandbox: 100_000, production: 600 },
    'requests per minute and token of the business portal, for each serve',
  ),
  billingSecretRegistry: billingSecret('registry'),
  billingSecretAuction: billingSecret('auction'),
  billingSecretEeid: billingSecret('eeid'),
  billingSecretBusinessRegistry: billingSecret('business_registry'),
  auctionUrl: serviceUrl('AUCTION_URL', 'auction'),
  eeidUrl: serviceUrl('EEID_URL', 'eeid'),
  businessRegistryUrl: serviceUrl('BUSINESS_REGISTRY_URL', 'business_registry'),
  allowedReturnOrigins: setting<readonly string[]>(
    'ALLOWED_RETURN_ORIGINS',
    origins,
    {
      sandbox: ['https://auction.example', 'https://portal.example', 'https://eeid.example'],
      production: [],
    },
    'origins that a payer may be sent back to, besides our own',
  ),
  callbacksPerMinute: setting(
    'CALLBACKS_PER_MINUTE',
    integer(1, 1_000_000_000),
    { sandbox: 100_000, production: 600 },
    'payment callbacks per minute and address, for each serve',
  ),
  paymentLookupsPerSecond: setting(
    'PAYMENT_LOOKUPS_PER_SECOND',
    integer(1, 1_000),
    { sandbox: 100, production: 20 },
    'polls of the payment provider per second for references that only a callback has named, over all processes',
  ),
  providerUrl: setting<string | undefined>(
    'PROVIDER_URL',
    webUrl,
    undefined,
    'the API of the payment provider, including its version (the sandbox has its own)',
  ),
  providerLinkUrl: setting<string | undefined>(
    'PROVIDER_LINK_URL',
    webUrl,
    undefined,
    'where signed payment links lead (the sandbox has its own)',
  ),
  providerUser: setting<string | undefined>(
    'PROVIDER_USER',
    word,
    { sandbox: 'provider-sandbox-user', production: undefined },
    'our name at the payment provider',
  ),
  providerSecret: setting<string | undefined>(
    'PROVIDER_SECRET',
    word,
    { sandbox: 'provider-sandbox-secret', production: undefined },
    'our secret at the payment provider; it also signs payment links',
    true,
  ),
  providerAccount: setting<string | undefined>(
    'PROVIDER_ACCOUNT',
    word,
    { sandbox: 'EUR-sandbox', production: undefined },
    'our account at the payment provider',
  ),
  providerLinkToken: setting<string | undefined>(
    'PROVIDER_LINK_TOKEN',
    word,
    { sandbox: 'linkpay-sandbox-token', production: undefined },
    'the token of our signed payment links',
    true,
  ),
  bankAccounts: setting<readonly string[]>(
    'BANK_ACCOUNTS',
    accounts,
    [],
    'our own accounts, whose bank statements are imported (default: those that the policy prints on invoices)',
  ),
  bankSetAside: setting<readonly string[]>(
    'BANK_SET_ASIDE',
    prefixes,
    [],
    'how descriptions of payments begin that no customer makes, separated by commas: those without a reference number are set aside',
  ),
  bankStatementFolder: setting<string | undefined>(
    'BANK_STATEMENT_FOLDER',
    word,
    undefined,
    'the folder that work checks for bank statements every minute; without it they are imported by cadastre bank import only',
  ),
  accountingUrl: setting<string | undefined>(
    'ACCOUNTING_URL',
    webUrl,
    undefined,
    'the address of the accounting service, which receives Directo XML; without it nothing is exported automatically (the sandbox has its own)',
    true,
  ),
  accountingExportAt: setting(
    'ACCOUNTING_EXPORT_AT',
    timeOfDay,
    '19:00',
    'when paid top-ups are exported, every day in the time zone of the registry',
  ),
  einvoiceUrl: setting<string | undefined>(
    'EINVOICE_URL',
    webUrl,
    undefined,
    'the SOAP address of the operator of e-invoices (the sandbox has its own)',
  ),
  einvoiceAuthPhrase: setting<string | undefined>(
    'EINVOICE_AUTH_PHRASE',
    word,
    { sandbox: 'einvoice-sandbox-phrase', production: undefined },
    'identifies us to the operator of e-invoices',
    true,
  ),
} as const satisfies Record<string, Setting<unknown>>;
