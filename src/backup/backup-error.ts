/** A backup that cannot be written, read or restored; one sentence for the operator. */
export class BackupError extends Error {
  override name = 'BackupError';
}
