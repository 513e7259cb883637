export class TransactionsOpen extends Error {
  override name = 'TransactionsOpen';
  constructor() {
    super(
      'Transactions that were open when the check began have not ended for a minute, and the check must see what they write. See them in pg_stat_activity.',
    );
  }
}
