/** A backup that cannot be written, read or restored; one sentence for the operator. */
export class BackupError extends Error {
  override name = 'BackupError';
}

/** There is a backup of the same data already: nothing newer could be backed up, and nothing has failed. */
export class BackupExists extends BackupError {
  override name = 'BackupExists';
}
