import type { MessageType } from '../../../registry/poll/send-messages.ts';

/** The texts of messages in Estonian, with places of the stored ones; an amount is written with its currency. */
export const estonianMessages: Readonly<Record<MessageType, string>> = {
  wrong_codes: 'Domeeni {name} kohta sisestati tunni jooksul {count} valet koodi',
  transferred_away:
    'Domeen {name} kanti üle registripidajale {registrar}; registreerija oli {registrant}, kontaktid {contacts}',
  transferred_in: 'Domeen {name} kanti sinu juurde üle, varasem registripidaja oli {registrar}',
  update_confirmed: 'Registreerija kinnitas domeeni {name} muudatuse',
  update_rejected: 'Registreerija lükkas domeeni {name} muudatuse tagasi',
  update_lapsed: 'Registreerija ei kinnitanud domeeni {name} muudatust õigel ajal',
  update_failed: 'Registreerija kinnitas domeeni {name} muudatuse, kuid seda ei saanud teha. {reason}',
  deletion_confirmed: 'Registreerija kinnitas domeeni {name} kustutamise',
  deletion_rejected: 'Registreerija lükkas domeeni {name} kustutamise tagasi',
  deletion_lapsed: 'Registreerija ei kinnitanud domeeni {name} kustutamist õigel ajal',
  deletion_failed: 'Registreerija kinnitas domeeni {name} kustutamise, kuid seda ei saanud teha. {reason}',
  request_withdrawn: 'Registreerijalt ei küsita enam kinnitust domeeni {name} kohta: {reason}',
  expired:
    'Domeen {name} on aegunud. See eemaldatakse tsoonist {outzone} ja kustutatakse {deletion}. {renewal}',
  outzoned: 'Domeen {name} on tsoonist eemaldatud',
  delete_candidate: 'Domeeni {name} ei saa enam pikendada ja see kustutatakse ööpäeva jooksul',
  deleted: 'Domeen {name} on kustutatud',
  force_delete_set: 'Domeenile {name} määrati sundkustutamine ({kind}): {reason}. {dates}',
  force_delete_started: 'Domeeni {name} sundkustutamise ooteaeg algas. Domeen kustutatakse {deletion}',
  force_delete_held: 'Domeen {name} on sundkustutamise ajaks peatatud. See kustutatakse {deletion}',
  force_delete_lifted: 'Domeeni {name} sundkustutamine on tühistatud',
  status_set: 'Register määras domeenile {name} oleku: {status}',
  status_cancelled: 'Register eemaldas domeenilt {name} oleku: {status}',
  restored: 'Register taastas domeeni {name}',
  contact_updated: 'Registreerija muutis kontakti {code}',
  contact_archived: 'Kontakt {code} on arhiivitud: ükski domeen ei ole seda {months} kuud kasutanud',
  certificate_expiring:
    'API kasutaja {username} sertifikaat {serial} aegub {until}; uue sertifikaadita ei saa see kasutaja siis enam sisse logida',
  debt_incurred:
    'Kontolt võeti {taken}: {cause}. See on {uncovered} rohkem kui saldo. Võlgned {debt}; kuni see on tasumata, ei saa midagi osta',
  webhook_disabled:
    'Veebihaak {endpoint} on välja lülitatud: {reason}. Selle sündmusi hoitakse mõnda aega alles; lülita veebihaak sisse ja saada need uuesti',
  debt_repaid: 'Võlast tasuti {repaid}; võlgned veel {debt}',
  low_balance: 'Saldo on langenud alla {threshold}',
  balance_credited: 'Kontole lisati {amount}: {cause}. Saldo on {balance}',
  balance_debited: 'Kontolt võeti {amount}: {cause}. Saldo on {balance}',
  invoice_issued: 'Esitati arve {number} summas {total}; maksetähtaeg on {due}',
  invoice_paid: 'Arve {number} summas {total} on tasutud',
  invoice_overdue: 'Arve {number} summas {total} tähtaeg on möödas',
  invoice_cancelled: 'Arve {number} summas {total} on tühistatud ja seda ei saa enam tasuda',
  invoice_refunded: 'Arve {number} summa {total} on tagasi makstud',
  statement_ready: 'Konto väljavõte on valmis: {month}, algsaldo {opening}, lõppsaldo {closing}',
};
