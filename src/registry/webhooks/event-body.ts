export type EventContent = {
  readonly type: string;
  /** In ISO 8601, with the offset of the registry. */
  readonly timestamp: string;
  /** JSON text. */
  readonly data: string;
};

/** What is posted, the same at every attempt. */
export const eventBody = ({ type, timestamp, data }: EventContent): string =>
  `{"type":${JSON.stringify(type)},"timestamp":"${timestamp}","data":${data}}`;
