// Generated from the OpenAPI document of the registrar API by npm run sdk:generate. Do not edit.
/** Refusals that are not specific to a call: syntax, rights, limits. */
export const COMMON_REFUSALS = [
    'malformedRequest',
    'unknownField',
    'otherFormat',
    'unreadableMediaType',
    'teapot',
    'tooManyRequests',
    'tooManyFailures',
    'malformedJson',
    'bodyTooLarge',
    'tooManyValues',
    'keyReused',
    'notAllowed',
    'wrongSyntax',
    'unprintableText',
    'fieldMissing',
];
