import type { AnswerOf, Call, GivenTo, PartsAt } from '../../../backend/platform/http/calls.api.js';
import { http } from './http.js';

/** What the server serves, by its types alone: schemas and summaries stay there. */
type Apis =
  | typeof import('../../../backend/modules/accounts/account.api.js')
  | typeof import('../../../backend/modules/accounts/accounts.api.js')
  | typeof import('../../../backend/modules/accounts/area-links.api.js')
  | typeof import('../../../backend/modules/accounts/invites.api.js')
  | typeof import('../../../backend/modules/accounts/own-data/own-data.api.js')
  | typeof import('../../../backend/modules/accounts/profile.api.js')
  | typeof import('../../../backend/modules/advisor/sharing.api.js')
  | typeof import('../../../backend/modules/agenda/agenda.api.js')
  | typeof import('../../../backend/modules/agenda/free-times.api.js')
  | typeof import('../../../backend/modules/agenda/groups.api.js')
  | typeof import('../../../backend/modules/agenda/own-cancellation.api.js')
  | typeof import('../../../backend/modules/agenda/recent-students.api.js')
  | typeof import('../../../backend/modules/agenda/session-days.api.js')
  | typeof import('../../../backend/modules/agenda/week-copy.api.js')
  | typeof import('../../../backend/modules/audit/history.api.js')
  | typeof import('../../../backend/modules/audit/why.api.js')
  | typeof import('../../../backend/modules/availability/availability.api.js')
  | typeof import('../../../backend/modules/bank-lines/bank-lines.api.js')
  | typeof import('../../../backend/modules/calendar-links/calendar-links.api.js')
  | typeof import('../../../backend/modules/charges/arrived-pix.api.js')
  | typeof import('../../../backend/modules/charges/bills.api.js')
  | typeof import('../../../backend/modules/charges/charge-terms.api.js')
  | typeof import('../../../backend/modules/charges/charges.api.js')
  | typeof import('../../../backend/modules/charges/monthly-plans.api.js')
  | typeof import('../../../backend/modules/charges/payment-page.api.js')
  | typeof import('../../../backend/modules/charges/pix-notices.api.js')
  | typeof import('../../../backend/modules/charges/pix-provider.api.js')
  | typeof import('../../../backend/modules/charges/pix.api.js')
  | typeof import('../../../backend/modules/charges/receivables.api.js')
  | typeof import('../../../backend/modules/charges/renewals.api.js')
  | typeof import('../../../backend/modules/classes/classes.api.js')
  | typeof import('../../../backend/modules/contracts/contracts.api.js')
  | typeof import('../../../backend/modules/credits/credits.api.js')
  | typeof import('../../../backend/modules/credits/make-up.api.js')
  | typeof import('../../../backend/modules/dossier/dossier.api.js')
  | typeof import('../../../backend/modules/enrolment/enrolment.api.js')
  | typeof import('../../../backend/modules/expiry-warnings/expiry-warnings.api.js')
  | typeof import('../../../backend/modules/finance/finance.api.js')
  | typeof import('../../../backend/modules/finance/forecast.api.js')
  | typeof import('../../../backend/modules/finance/recurring-expenses.api.js')
  | typeof import('../../../backend/modules/general-terms/general-terms.api.js')
  | typeof import('../../../backend/modules/holidays/holidays.api.js')
  | typeof import('../../../backend/modules/letters/letters.api.js')
  | typeof import('../../../backend/modules/letters/notification-settings.api.js')
  | typeof import('../../../backend/modules/locations/locations.api.js')
  | typeof import('../../../backend/modules/locations/postal-codes.api.js')
  | typeof import('../../../backend/modules/merging/merging.api.js')
  | typeof import('../../../backend/modules/nudges/nudges.api.js')
  | typeof import('../../../backend/modules/notices/notifications.api.js')
  | typeof import('../../../backend/modules/notices/push.api.js')
  | typeof import('../../../backend/modules/other-calendar/other-calendar.api.js')
  | typeof import('../../../backend/modules/owed-sessions/owed-sessions.api.js')
  | typeof import('../../../backend/modules/payers/payers.api.js')
  | typeof import('../../../backend/modules/plans/plans.api.js')
  | typeof import('../../../backend/modules/policies/policies.api.js')
  | typeof import('../../../backend/modules/privacy/privacy.api.js')
  | typeof import('../../../backend/modules/public-link/public-link.api.js')
  | typeof import('../../../backend/modules/public-link/waitlist.api.js')
  | typeof import('../../../backend/modules/receipts/own-payments.api.js')
  | typeof import('../../../backend/modules/receipts/receipts.api.js')
  | typeof import('../../../backend/modules/reminders/reminders.api.js')
  | typeof import('../../../backend/modules/seals/seals.api.js')
  | typeof import('../../../backend/modules/search/search.api.js')
  | typeof import('../../../backend/modules/series/series.api.js')
  | typeof import('../../../backend/modules/services/services.api.js')
  | typeof import('../../../backend/modules/settings/settings.api.js')
  | typeof import('../../../backend/modules/student-area/own-sessions.api.js')
  | typeof import('../../../backend/modules/student-area/student-area.api.js')
  | typeof import('../../../backend/modules/student-area/student-booking.api.js')
  | typeof import('../../../backend/modules/student-imports/student-imports.api.js')
  | typeof import('../../../backend/modules/student-notes/student-notes.api.js')
  | typeof import('../../../backend/modules/student-pauses/student-pauses.api.js')
  | typeof import('../../../backend/modules/students/students.api.js')
  | typeof import('../../../backend/modules/tasks/tasks.api.js')
  | typeof import('../../../backend/modules/told-contacts/told-contacts.api.js')
  | typeof import('../../../backend/modules/vacations/vacations.api.js')
  | typeof import('../../../backend/modules/whatsapp/whatsapp.api.js')
  | typeof import('../../../backend/modules/what-if/what-if.api.js');

type CallsIn<File> = File extends unknown
  ? {
      [Name in keyof File]: File[Name] extends Readonly<Record<string, Call>>
        ? File[Name][keyof File[Name]]
        : never;
    }[keyof File]
  : never;
/** All calls by method and path: `GET /plans/:id`. */
type Calls = { [C in CallsIn<Apis> & Call as `${C['method']} ${C['path']}`]: C };
export type Address = keyof Calls;

export type Of<A extends Address> = PartsAt<Calls[A]['path']>;
/** The named parts of the path in order, where it has some. */
type WithParts<A extends Address> = Of<A> extends [] ? { of?: never } : { of: Of<A> };
type WithBody<A extends Address> = Calls[A]['options'] extends { body: object }
  ? { body: GivenTo<Calls[A]> }
  : { body?: never };
/** What is null is left out. */
type WithQuery<A extends Address> = Calls[A]['options'] extends { query: object }
  ? { query?: { [Name in keyof GivenTo<Calls[A]>]?: GivenTo<Calls[A]>[Name] | null } }
  : { query?: never };
export type Answer<A extends Address> = AnswerOf<Calls[A]>;

export type Read<A extends Address> = WithParts<A> & WithBody<A> & WithQuery<A> & { signal?: AbortSignal };
export type Write<A extends Address> = WithParts<A> & WithBody<A>;
/** The last argument, which is left out where nothing is required in it. */
export type Given<Options> = Record<never, never> extends Options ? [options?: Options] : [options: Options];

function placeOf(address: string, of: readonly string[] = []): [method: string, path: string] {
  const [method, pattern] = address.split(' ') as [string, string];
  let at = 0;
  return [method, pattern.replace(/:\w+/g, () => encodeURIComponent(of[at++]!))];
}

/** The body of a call that changes something; nothing where it has none. */
export type Input<A extends Address> = GivenTo<Calls[A]> extends undefined ? void : GivenTo<Calls[A]>;

/** What `read` and `write` are given, for all calls. */
interface Options {
  of?: readonly string[];
  query?: Parameters<typeof http.get>[1];
  body?: object;
  signal?: AbortSignal;
}

/**
 * The answer to a call that changes nothing.
 * @throws ProblemError if the server refuses, NetworkError if it cannot be reached
 */
export function read<A extends Address>(address: A, ...[options]: Given<Read<A>>): Promise<Answer<A>> {
  const { of, query, body, signal } = { ...options } as Options;
  const [method, path] = placeOf(address, of);
  return method === 'GET' ? http.get(path, query, signal) : http.question(path, body, signal);
}

/** The same for a call that changes something; `key`: its `Idempotency-Key`. */
export function write<A extends Address>(
  address: A,
  key: string,
  ...[options]: Given<Write<A>>
): Promise<Answer<A>> {
  const { of, body } = { ...options } as Options;
  const [method, path] = placeOf(address, of);
  return http.send({ method: method as 'POST', path, key, body: body! });
}
