import type { areaLinksApi } from '../../../backend/modules/accounts/area-links.api.js';
import type { invitesApi } from '../../../backend/modules/accounts/invites.api.js';
import type { sharingApi } from '../../../backend/modules/advisor/sharing.api.js';
import type { agendaApi } from '../../../backend/modules/agenda/agenda.api.js';
import type { groupsApi } from '../../../backend/modules/agenda/groups.api.js';
import type { ownSessionsApi } from '../../../backend/modules/agenda/own-sessions.api.js';
import type { policyPreviewApi } from '../../../backend/modules/agenda/policy-preview.api.js';
import type { recentStudentsApi } from '../../../backend/modules/agenda/recent-students.api.js';
import type { sessionDaysApi } from '../../../backend/modules/agenda/session-days.api.js';
import type { weekCopyApi } from '../../../backend/modules/agenda/week-copy.api.js';
import type { historyApi } from '../../../backend/modules/audit/history.api.js';
import type { availabilityApi } from '../../../backend/modules/availability/availability.api.js';
import type { bankLinesApi } from '../../../backend/modules/bank-lines/bank-lines.api.js';
import type {
  calendarFeedApi,
  studentCalendarApi,
} from '../../../backend/modules/calendar-feed/calendar-feed.api.js';
import type { arrivedPixApi } from '../../../backend/modules/charges/arrived-pix.api.js';
import type { chargesApi, ownChargesApi } from '../../../backend/modules/charges/charges.api.js';
import type { monthlyPlansApi } from '../../../backend/modules/charges/monthly-plans.api.js';
import type { pixNoticesApi } from '../../../backend/modules/charges/pix-notices.api.js';
import type { pixAccountApi } from '../../../backend/modules/charges/pix.api.js';
import type { receivablesApi } from '../../../backend/modules/charges/receivables.api.js';
import type { renewalsApi } from '../../../backend/modules/charges/renewals.api.js';
import type {
  contractsApi,
  signatureRequestsApi,
  ownContractsApi,
} from '../../../backend/modules/contracts/contracts.api.js';
import type {
  creditListsApi,
  creditsApi,
  creditTransfersApi,
  ownCreditsApi,
} from '../../../backend/modules/credits/credits.api.js';
import type { makeUpRulesApi } from '../../../backend/modules/credits/make-up.api.js';
import type { expiryWarningsApi } from '../../../backend/modules/expiry-warnings/expiry-warnings.api.js';
import type { financeApi } from '../../../backend/modules/finance/finance.api.js';
import type { recurringExpensesApi } from '../../../backend/modules/finance/recurring-expenses.api.js';
import type { generalTermsApi } from '../../../backend/modules/general-terms/general-terms.api.js';
import type { holidaysApi } from '../../../backend/modules/holidays/holidays.api.js';
import type { locationsApi } from '../../../backend/modules/locations/locations.api.js';
import type {
  notificationSettingsApi,
  ownNotificationSettingsApi,
} from '../../../backend/modules/notifications/notification-settings.api.js';
import type { otherCalendarApi } from '../../../backend/modules/other-calendar/other-calendar.api.js';
import type { pixProviderApi } from '../../../backend/modules/charges/pix-provider.api.js';
import type { plansApi } from '../../../backend/modules/plans/plans.api.js';
import type { policiesApi } from '../../../backend/modules/policies/policies.api.js';
import type { privacyApi } from '../../../backend/modules/privacy/privacy.api.js';
import type { publicLinkApi } from '../../../backend/modules/public-link/public-link.api.js';
import type { waitlistApi } from '../../../backend/modules/public-link/waitlist.api.js';
import type { ownPaymentsApi } from '../../../backend/modules/receipts/own-payments.api.js';
import type { receiptIssuerApi, receiptsApi } from '../../../backend/modules/receipts/receipts.api.js';
import type { remindersApi, ownConfirmationsApi } from '../../../backend/modules/reminders/reminders.api.js';
import type { searchApi } from '../../../backend/modules/search/search.api.js';
import type { seriesApi } from '../../../backend/modules/series/series.api.js';
import type { settingsApi } from '../../../backend/modules/settings/settings.api.js';
import type {
  ownChangesApi,
  sessionRequestsApi,
  partnerNameApi,
} from '../../../backend/modules/student-area/student-area.api.js';
import type {
  studentBookingApi,
  ownBookingApi,
} from '../../../backend/modules/student-area/student-booking.api.js';
import type { studentImportsApi } from '../../../backend/modules/student-imports/student-imports.api.js';
import type { studentNotesApi } from '../../../backend/modules/student-notes/student-notes.api.js';
import type { studentPausesApi } from '../../../backend/modules/student-pauses/student-pauses.api.js';
import type { studentsApi } from '../../../backend/modules/students/students.api.js';
import type { taskListsApi, tasksApi } from '../../../backend/modules/tasks/tasks.api.js';
import type { vacationsApi } from '../../../backend/modules/vacations/vacations.api.js';
import type { AnswerOf, Call, GivenTo, PartsAt } from '../../../backend/platform/http/calls.api.js';
import { useCommand } from './command.js';
import { http } from './http.js';

/** What the server serves, by its types alone: schemas and summaries stay there. */
type Apis =
  | typeof seriesApi
  | typeof plansApi
  | typeof studentPausesApi
  | typeof remindersApi
  | typeof ownConfirmationsApi
  | typeof groupsApi
  | typeof recentStudentsApi
  | typeof weekCopyApi
  | typeof sessionDaysApi
  | typeof agendaApi
  | typeof ownSessionsApi
  | typeof policyPreviewApi
  | typeof bankLinesApi
  | typeof publicLinkApi
  | typeof waitlistApi
  | typeof locationsApi
  | typeof taskListsApi
  | typeof tasksApi
  | typeof calendarFeedApi
  | typeof studentCalendarApi
  | typeof policiesApi
  | typeof financeApi
  | typeof recurringExpensesApi
  | typeof renewalsApi
  | typeof monthlyPlansApi
  | typeof arrivedPixApi
  | typeof chargesApi
  | typeof ownChargesApi
  | typeof pixAccountApi
  | typeof pixNoticesApi
  | typeof receivablesApi
  | typeof historyApi
  | typeof searchApi
  | typeof studentImportsApi
  | typeof notificationSettingsApi
  | typeof ownNotificationSettingsApi
  | typeof ownPaymentsApi
  | typeof receiptIssuerApi
  | typeof receiptsApi
  | typeof settingsApi
  | typeof studentsApi
  | typeof vacationsApi
  | typeof holidaysApi
  | typeof studentNotesApi
  | typeof sharingApi
  | typeof generalTermsApi
  | typeof makeUpRulesApi
  | typeof creditListsApi
  | typeof creditsApi
  | typeof creditTransfersApi
  | typeof ownCreditsApi
  | typeof contractsApi
  | typeof signatureRequestsApi
  | typeof ownContractsApi
  | typeof privacyApi
  | typeof invitesApi
  | typeof areaLinksApi
  | typeof otherCalendarApi
  | typeof availabilityApi
  | typeof pixProviderApi
  | typeof expiryWarningsApi
  | typeof ownChangesApi
  | typeof sessionRequestsApi
  | typeof partnerNameApi
  | typeof studentBookingApi
  | typeof ownBookingApi;

type CallsIn<Api> = Api extends unknown ? Api[keyof Api] : never;
/** All calls by method and path: `GET /plans/:id`. */
type Calls = { [C in CallsIn<Apis> & Call as `${C['method']} ${C['path']}`]: C };
type Address = keyof Calls;

type Of<A extends Address> = PartsAt<Calls[A]['path']>;
/** The named parts of the path in order, where it has some. */
type WithParts<A extends Address> = Of<A> extends [] ? { of?: never } : { of: Of<A> };
type WithBody<A extends Address> = Calls[A]['options'] extends { body: object }
  ? { body: GivenTo<Calls[A]> }
  : { body?: never };
/** What is null is left out. */
type WithQuery<A extends Address> = Calls[A]['options'] extends { query: object }
  ? { query?: { [Name in keyof GivenTo<Calls[A]>]?: GivenTo<Calls[A]>[Name] | null } }
  : { query?: never };
type Answer<A extends Address> = AnswerOf<Calls[A]>;

type Read<A extends Address> = WithParts<A> & WithBody<A> & WithQuery<A> & { signal?: AbortSignal };
type Write<A extends Address> = WithParts<A> & WithBody<A>;
/** The last argument, which is left out where nothing is required in it. */
type Given<Options> = Record<never, never> extends Options ? [options?: Options] : [options: Options];

function placeOf(address: string, of: readonly string[] = []): [method: string, path: string] {
  const [method, pattern] = address.split(' ') as [string, string];
  let at = 0;
  return [method, pattern.replace(/:\w+/g, () => encodeURIComponent(of[at++]!))];
}

/**
 * The answer to a call that changes nothing.
 * @throws ProblemError if the server refuses, NetworkError if it cannot be reached
 */
export function read<A extends Address>(address: A, ...[options]: Given<Read<A>>): Promise<Answer<A>> {
  const { of, query, body, signal } = (options ?? {}) as {
    of?: readonly string[];
    query?: Parameters<typeof http.get>[1];
    body?: object;
    signal?: AbortSignal;
  };
  const [method, path] = placeOf(address, of);
  return method === 'GET' ? http.get(path, query, signal) : http.question(path, body, signal);
}

/** The same for a call that changes something; `key`: its `Idempotency-Key`. */
export function write<A extends Address>(
  address: A,
  key: string,
  ...[options]: Given<Write<A>>
): Promise<Answer<A>> {
  const { of, body } = (options ?? {}) as { of?: readonly string[]; body?: object };
  const [method, path] = placeOf(address, of);
  return http.send({ method: method as 'POST', path, key, ...(body && { body }) });
}

type Input<A extends Address> = GivenTo<Calls[A]> extends undefined ? void : GivenTo<Calls[A]>;

/** A command (see `useCommand`) whose input is the body of this call. */
export const useSend = <A extends Address>(address: A, topics: readonly string[], ...of: Of<A>) =>
  useCommand<Input<A>, Answer<A>>({
    send: (body, key) => write(address, key, { of, body } as unknown as Write<A>),
    topics,
  });
