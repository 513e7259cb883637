/** Samples of a series from time 0 on, one a minute, in the notation of promtool. */
type Series = Readonly<Record<string, string>>;

export type AlertCase = {
  readonly at: string;
  readonly fires: Series;
  readonly silent: Series;
  /** Labels of the alert that fires, besides its severity. */
  readonly labels?: Readonly<Record<string, string>>;
};

const always = (value: number) => `${value}+0x200`;
const HOUR = 3_600;
const DAY = 24 * HOUR;
const request = (status: string, labels = '') =>
  `cadastre_request_seconds_count{route="/r",status="${status}",instance="a"${labels}}`;
const SERVE = ',role="serve"';
const PUBLIC = ',role="public"';
const bucket = (le: string, labels: string) =>
  `cadastre_request_seconds_bucket{le="${le}",instance="a"${labels}}`;
const pool = (name: string) => `cadastre_pool_${name}{pool="writes",instance="a"}`;
const standbys = (state: string) => `cadastre_standbys{sync_state="${state}",instance="a"}`;
const endpoints = (state: string, instance: string) =>
  `cadastre_webhook_endpoints{state="${state}",instance="${instance}"}`;
const one = (
  instance: Readonly<Record<string, string>>,
  name: string,
  fires: string,
  silent: string,
  at = '5m',
) => ({
  at,
  labels: instance,
  fires: { [name]: fires },
  silent: { [name]: silent },
});
const lastSuccess = (kind: string) =>
  `cadastre_check_last_success_timestamp_seconds{kind="${kind}",instance="a"}`;
const A = { instance: 'a' };

/** One case that fires and one that is silent for each alert. */
export const alertCases: Readonly<Record<string, AlertCase>> = {
  CadastreDown: one(
    { ...A, job: 'cadastre' },
    'up{job="cadastre",instance="a"}',
    always(0),
    '1 1 0 1 1 1 1 1',
    '2m',
  ),
  CadastreRestarting: one(
    { ...A, job: 'cadastre' },
    'process_start_time_seconds{job="cadastre",instance="a"}',
    '0 60 120 180 180 180 180',
    // An upgrade, and a machine that was restarted.
    '0 60 60 60 240 240 240 240',
    '6m',
  ),
  CadastreProcessRestarted: one(
    A,
    'cadastre_process_restarts_total{instance="a"}',
    '0 0 0 1 1 1 1',
    always(4),
  ),
  CadastreInternalErrors: {
    at: '10m',
    labels: { route: '/r' },
    // The counter appears with the first error: increase() alone would miss it.
    fires: { [request('500')]: '_x9 1 1 1' },
    silent: { [request('500')]: always(3), [request('200')]: '0+9x200' },
  },
  CadastreRequestsRefused: {
    at: '30m',
    labels: { role: 'serve' },
    // However many requests strangers make.
    fires: {
      [request('503', SERVE)]: '0+2x200',
      [request('200', SERVE)]: '0+98x200',
      [request('200', PUBLIC)]: '0+9998x200',
    },
    silent: { [request('503')]: '0+2x200', [request('200')]: '0+998x200' },
  },
  CadastreRequestsSlow: {
    at: '30m',
    labels: { role: 'serve' },
    fires: {
      [bucket('1', SERVE)]: '0+90x200',
      [bucket('2.5', SERVE)]: '0+100x200',
      [bucket('+Inf', SERVE)]: '0+100x200',
      [bucket('1', PUBLIC)]: '0+9999x200',
      [bucket('2.5', PUBLIC)]: '0+9999x200',
      [bucket('+Inf', PUBLIC)]: '0+9999x200',
    },
    silent: {
      [bucket('1', '')]: '0+995x200',
      [bucket('2.5', '')]: '0+1000x200',
      [bucket('+Inf', '')]: '0+1000x200',
    },
  },
  CadastreEventLoopStalled: one(
    A,
    'cadastre_event_loop_stall_seconds{instance="a"}',
    always(0.6),
    '0.6 0.6 0.1 0.6 0.6 0.6 0.6',
    '6m',
  ),
  CadastreClockWrong: one(A, 'cadastre_clock_wrong{instance="a"}', always(1), always(0)),
  CadastreClockOffset: one(A, 'cadastre_clock_offset_seconds{instance="a"}', always(-1.5), always(0.5), '6m'),
  CadastreTimeLeapt: {
    at: '1m',
    labels: {},
    fires: { 'cadastre_clock_leap_waiting{instance="a"}': always(1) },
    silent: { 'cadastre_clock_leap_waiting{instance="a"}': always(0) },
  },
  CadastreJobFarAhead: {
    at: '10m',
    // Time begins at 0 here. A worker that is right has written a due time of the next interval. One alert for all jobs.
    fires: {
      'cadastre_job_due_timestamp_seconds{name="deliver mails",instance="a"}': always(420 * DAY),
      'cadastre_job_interval_seconds{name="deliver mails",instance="a"}': always(60),
      'cadastre_job_due_timestamp_seconds{name="archive contacts",instance="a"}': always(421 * DAY),
      'cadastre_job_interval_seconds{name="archive contacts",instance="a"}': always(DAY),
    },
    silent: {
      'cadastre_job_due_timestamp_seconds{name="archive contacts",instance="a"}': always(DAY),
      'cadastre_job_interval_seconds{name="archive contacts",instance="a"}': always(DAY),
    },
  },
  CadastreVersionsDiffer: {
    at: '70m',
    // Two builds with one version number.
    fires: {
      'cadastre_build_info{version="2",schema="60",instance="a"}': always(1),
      'cadastre_build_info{version="2",schema="63",instance="b"}': always(1),
    },
    silent: {
      'cadastre_build_info{version="2",schema="63",instance="a"}': always(1),
      'cadastre_build_info{version="2",schema="63",instance="b"}': always(1),
    },
  },
  CadastreDatabaseUnavailable: one(A, 'cadastre_database_available{instance="a"}', always(0), always(1)),
  CadastreDatabaseErrors: {
    at: '10m',
    labels: { kind: 'busy' },
    fires: { 'cadastre_database_errors_total{kind="busy",instance="a"}': '_x9 1 1 1' },
    silent: { 'cadastre_database_errors_total{kind="busy",instance="a"}': always(7) },
  },
  CadastreMetricsUnknown: one(
    A,
    'cadastre_mails_waiting{instance="a"}',
    'NaN NaN NaN NaN NaN NaN',
    always(0),
  ),
  CadastrePoolExhausted: {
    at: '5m',
    labels: { ...A, pool: 'writes' },
    fires: {
      [pool('connections_in_use')]: always(12),
      [pool('connections_max')]: always(12),
      [pool('waiting')]: always(1),
    },
    silent: {
      [pool('connections_in_use')]: always(12),
      [pool('connections_max')]: always(12),
      [pool('waiting')]: always(0),
    },
  },
  CadastreDatabaseConnections: {
    at: '6m',
    fires: {
      'cadastre_database_connections{instance="a"}': always(81),
      'cadastre_database_connections_max{instance="a"}': always(100),
    },
    silent: {
      'cadastre_database_connections{instance="a"}': always(79),
      'cadastre_database_connections{instance="b"}': always(79),
      'cadastre_database_connections_max{instance="a"}': always(100),
    },
  },
  CadastreOnStandby: one(A, 'cadastre_database_standby{instance="a"}', always(1), always(0)),
  CadastreStandbyMissing: {
    at: '5m',
    // ANY 2, and one of them is there.
    fires: {
      'cadastre_synchronous_commit_required{instance="a"}': always(2),
      [standbys('quorum')]: always(1),
      [standbys('async')]: always(2),
      [standbys('unknown')]: always(0),
    },
    silent: {
      'cadastre_synchronous_commit_required{instance="a"}': always(1),
      [standbys('sync')]: always(0),
      // Without the right to read statistics.
      [standbys('unknown')]: always(1),
    },
  },
  CadastreRedundancyLost: {
    at: '90m',
    // One of two was lost, of which the setting says nothing.
    fires: {
      [standbys('async')]: '2+0x60 1+0x140',
      'cadastre_standbys_expected{instance="a"}': always(0),
    },
    // A restart of a standby takes a minute; the server is set up for as many as there are.
    silent: {
      [standbys('quorum')]: '2+0x60 1 2+0x140',
      'cadastre_standbys_expected{instance="a"}': always(2),
    },
  },
  CadastreStandbyLag: one(
    { standby: 'b' },
    'cadastre_standby_replay_lag_bytes{standby="b",instance="a"}',
    always(2e9),
    always(1e6),
    '6m',
  ),
  CadastreJobLate: one(
    { name: 'j' },
    'cadastre_job_due_timestamp_seconds{name="j",instance="a"}',
    always(60),
    '60+60x200',
    '10m',
  ),
  CadastreJobFailing: {
    at: '6m',
    labels: { name: 'j' },
    fires: {
      'cadastre_job_failures{name="j",instance="a"}': always(3),
      'cadastre_job_held_by_leap{name="j",instance="a"}': always(0),
      'cadastre_job_failures{name="held",instance="a"}': always(3),
      'cadastre_job_held_by_leap{name="held",instance="a"}': always(1),
    },
    silent: { 'cadastre_job_failures{name="j",instance="a"}': '3 3 0 3 3 3 3' },
  },
  CadastreJobNotSucceeding: {
    at: '30m',
    labels: { name: 'j' },
    fires: {
      'cadastre_job_last_success_timestamp_seconds{name="held",instance="a"}': always(60),
      'cadastre_job_interval_seconds{name="held",instance="a"}': always(60),
      'cadastre_job_held_by_leap{name="held",instance="a"}': always(1),
      'cadastre_job_last_success_timestamp_seconds{name="j",instance="a"}': always(60),
      'cadastre_job_interval_seconds{name="j",instance="a"}': always(60),
    },
    silent: {
      'cadastre_job_last_success_timestamp_seconds{name="j",instance="a"}': always(60),
      'cadastre_job_interval_seconds{name="j",instance="a"}': always(3600),
    },
  },
  CadastreJobStopped: one({}, 'cadastre_job_stops_waiting{instance="a"}', always(1), always(0)),
  CadastreBackupOld: one({}, lastSuccess('backup'), always(-30 * HOUR), always(-24 * HOUR), '15m'),
  CadastreCheckOverdue: one(
    { kind: 'restore' },
    lastSuccess('restore'),
    always(-10 * DAY),
    always(-7 * DAY),
    '15m',
  ),
  CadastreCheckUnfinished: one(
    { kind: 'ledger' },
    'cadastre_check_unfinished{kind="ledger",instance="a"}',
    always(1),
    '1x60 0x140',
    '130m',
  ),
  CadastreCheckFailed: one(
    { kind: 'ledger' },
    'cadastre_check_failed{kind="ledger",instance="a"}',
    '0 0 1 1 1 1',
    '1 1 1 0 0 0',
  ),
  CadastreMailsStuck: one(
    {},
    'cadastre_mails_oldest_waiting_timestamp_seconds{instance="a"}',
    always(60),
    '60+60x200',
    '70m',
  ),
  CadastreMailsGivenUp: one({}, 'cadastre_mails_given_up{instance="a"}', '4+0x65 5x100', always(4), '70m'),
  CadastreDeliveriesStuck: one(
    {},
    'cadastre_deliveries_oldest_waiting_timestamp_seconds{instance="a"}',
    always(60),
    '60+60x200',
    '70m',
  ),
  CadastreDeliveriesGivenUp: one(
    {},
    'cadastre_deliveries_given_up{instance="a"}',
    '4+0x65 5x100',
    always(4),
    '70m',
  ),
  CadastreWebhooksStuck: one(
    {},
    'cadastre_webhooks_oldest_due_timestamp_seconds{instance="a"}',
    always(60),
    '60+60x200',
    '10m',
  ),
  CadastreWebhooksFailing: {
    at: '15m',
    // Each process exports the state of the database, so the same endpoints appear twice.
    fires: {
      [endpoints('failing', 'a')]: always(3),
      [endpoints('failing', 'b')]: always(3),
      [endpoints('enabled', 'a')]: always(2),
      [endpoints('enabled', 'b')]: always(2),
      [endpoints('disabled', 'a')]: always(9),
    },
    silent: { [endpoints('failing', 'a')]: always(3), [endpoints('enabled', 'a')]: always(3) },
  },
  CadastreExportsStuck: one(
    {},
    'cadastre_exports_oldest_waiting_timestamp_seconds{instance="a"}',
    always(-DAY),
    always(60),
    '10m',
  ),
  CadastreExportsRejected: one({}, 'cadastre_exports_rejected{instance="a"}', always(1), always(0)),
  CadastrePaymentsHeld: one({}, 'cadastre_payments_held{instance="a"}', always(1), always(0)),
  CadastreRefundsWaiting: one(
    {},
    'cadastre_refunds_waiting{instance="a"}',
    always(1),
    '1+0x30 0 1+0x100',
    '70m',
  ),
  CadastreBankEntriesWaiting: one(
    {},
    'cadastre_bank_entries_waiting{instance="a"}',
    always(1),
    '1+0x30 0 1+0x100',
    '70m',
  ),
  CadastreUnknownPayments: one(
    {},
    'cadastre_unknown_payments_waiting{instance="a"}',
    always(1001),
    always(900),
    '15m',
  ),
  CadastreTlsCertificateExpiring: one(
    A,
    'cadastre_tls_certificate_expiry_timestamp_seconds{instance="a"}',
    always(13 * DAY),
    always(15 * DAY),
  ),
  CadastreEppCertificateExpiring: one(
    A,
    'cadastre_epp_certificate_expiry_timestamp_seconds{instance="a"}',
    always(13 * DAY),
    always(15 * DAY),
  ),
  CadastreZoneNotPublished: {
    at: '10m',
    labels: { zone: 'ee' },
    fires: {
      'cadastre_zone_oldest_unpublished_timestamp_seconds{zone="ee",instance="a"}': always(60),
      'cadastre_zone_frozen{zone="ee",instance="a"}': always(0),
    },
    silent: {
      'cadastre_zone_oldest_unpublished_timestamp_seconds{zone="ee",instance="a"}': always(60),
      'cadastre_zone_frozen{zone="ee",instance="a"}': always(1),
    },
  },
  CadastreZoneFrozen: one(
    { zone: 'ee' },
    'cadastre_zone_frozen{zone="ee",instance="a"}',
    always(1),
    always(0),
    '70m',
  ),
  CadastreSecondaryBehind: one(
    { secondary: 'signer', zone: 'ee' },
    'cadastre_dns_secondary_oldest_missing_timestamp_seconds{secondary="signer",zone="ee",instance="a"}',
    always(60),
    // The newest one is always missing.
    '60+60x200',
    '15m',
  ),
  CadastreAuthorityExpiring: one(
    { authority: 'x' },
    'cadastre_authority_expiry_timestamp_seconds{authority="x",instance="a"}',
    always(89 * DAY),
    always(91 * DAY),
  ),
  CadastreRevocationListExpiring: one(
    { authority: 'x' },
    'cadastre_revocation_list_expiry_timestamp_seconds{authority="x",instance="a"}',
    always(DAY),
    always(3 * DAY),
  ),
};
