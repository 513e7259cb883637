import { CredentialsError, Refusal, UnavailableError, UnexpectedAnswerError, } from './errors.js';
/** The JSON of an answer; undefined if it is incomplete or not of this API. */
export function readEnvelope({ body }) {
    try {
        const value = JSON.parse(new TextDecoder().decode(body));
        const isEnvelope = typeof value === 'object' && value !== null && 'data' in value && 'message' in value;
        return isEnvelope ? value : undefined;
    }
    catch {
        return undefined;
    }
}
const PROXY_FAILURES = [502, 504];
/** The error that an answer without success becomes. */
export function failureOf(answer, details) {
    const { status } = answer;
    const envelope = readEnvelope(answer);
    if (!envelope)
        return PROXY_FAILURES.includes(status) || status === 503
            ? new UnavailableError(`the registry was not reached: ${status}`, details)
            : new UnexpectedAnswerError(`an answer with status ${status} that is not of the registrar API`, details);
    const [first, ...rest] = envelope.errors ?? [];
    if (first)
        return new Refusal(envelope.message, [first, ...rest], details);
    if (status === 401)
        return new CredentialsError(envelope.message, details);
    return new UnavailableError(envelope.message, details);
}
