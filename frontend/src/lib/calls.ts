import type { accountApi } from '../../../backend/modules/accounts/account.api.js';
import type { meApi } from '../../../backend/modules/accounts/accounts.api.js';
import type { areaLinksApi, areaLinksCalls } from '../../../backend/modules/accounts/area-links.api.js';
import type { invitesApi, invitesCalls } from '../../../backend/modules/accounts/invites.api.js';
import type { deletionApi } from '../../../backend/modules/accounts/own-data/own-data.api.js';
import type { profileApi } from '../../../backend/modules/accounts/profile.api.js';
import type { sharingApi } from '../../../backend/modules/advisor/sharing.api.js';
import type { agendaApi } from '../../../backend/modules/agenda/agenda.api.js';
import type { freeTimesApi } from '../../../backend/modules/agenda/free-times.api.js';
import type { groupsApi } from '../../../backend/modules/agenda/groups.api.js';
import type { ownCancellationApi } from '../../../backend/modules/agenda/own-cancellation.api.js';
import type { ownSessionsApi } from '../../../backend/modules/student-area/own-sessions.api.js';
import type { policyPreviewApi } from '../../../backend/modules/agenda/policy-preview.api.js';
import type { recentStudentsApi } from '../../../backend/modules/agenda/recent-students.api.js';
import type { sessionDaysApi } from '../../../backend/modules/agenda/session-days.api.js';
import type { weekCopyApi } from '../../../backend/modules/agenda/week-copy.api.js';
import type { historyApi } from '../../../backend/modules/audit/history.api.js';
import type { availabilityApi } from '../../../backend/modules/availability/availability.api.js';
import type { bankLinesApi, bankLinesCalls } from '../../../backend/modules/bank-lines/bank-lines.api.js';
import type {
  calendarFeedApi,
  studentCalendarApi,
} from '../../../backend/modules/calendar-links/calendar-links.api.js';
import type { arrivedPixApi } from '../../../backend/modules/charges/arrived-pix.api.js';
import type { chargesApi, ownChargesApi } from '../../../backend/modules/charges/charges.api.js';
import type { monthlyPlansApi } from '../../../backend/modules/charges/monthly-plans.api.js';
import type { pixNoticesApi, pixNoticesCalls } from '../../../backend/modules/charges/pix-notices.api.js';
import type { pixProviderApi, pixProviderCalls } from '../../../backend/modules/charges/pix-provider.api.js';
import type { pixAccountApi } from '../../../backend/modules/charges/pix.api.js';
import type { receivablesApi } from '../../../backend/modules/charges/receivables.api.js';
import type { renewalsApi } from '../../../backend/modules/charges/renewals.api.js';
import type {
  contractsApi,
  contractsCalls,
  ownContractsApi,
  signatureRequestsApi,
} from '../../../backend/modules/contracts/contracts.api.js';
import type {
  creditListsApi,
  creditTransfersApi,
  creditsApi,
  ownCreditsApi,
} from '../../../backend/modules/credits/credits.api.js';
import type { makeUpRulesApi } from '../../../backend/modules/credits/make-up.api.js';
import type { enrolmentApi } from '../../../backend/modules/enrolment/enrolment.api.js';
import type { expiryWarningsApi } from '../../../backend/modules/expiry-warnings/expiry-warnings.api.js';
import type { financeApi } from '../../../backend/modules/finance/finance.api.js';
import type { recurringExpensesApi } from '../../../backend/modules/finance/recurring-expenses.api.js';
import type { generalTermsApi } from '../../../backend/modules/general-terms/general-terms.api.js';
import type { holidaysApi } from '../../../backend/modules/holidays/holidays.api.js';
import type { locationsApi } from '../../../backend/modules/locations/locations.api.js';
import type { postalCodesApi } from '../../../backend/modules/locations/postal-codes.api.js';
import type { letterLinksApi } from '../../../backend/modules/letters/letters.api.js';
import type {
  notificationSettingsApi,
  ownNotificationSettingsApi,
} from '../../../backend/modules/letters/notification-settings.api.js';
import type { pushApi } from '../../../backend/modules/notices/push.api.js';
import type {
  otherCalendarApi,
  otherCalendarCalls,
} from '../../../backend/modules/other-calendar/other-calendar.api.js';
import type { plansApi } from '../../../backend/modules/plans/plans.api.js';
import type { policiesApi } from '../../../backend/modules/policies/policies.api.js';
import type { privacyApi, privacyCalls } from '../../../backend/modules/privacy/privacy.api.js';
import type { publicLinkApi } from '../../../backend/modules/public-link/public-link.api.js';
import type { waitlistApi } from '../../../backend/modules/public-link/waitlist.api.js';
import type { ownPaymentsApi } from '../../../backend/modules/receipts/own-payments.api.js';
import type { receiptIssuerApi, receiptsApi } from '../../../backend/modules/receipts/receipts.api.js';
import type { ownConfirmationsApi, remindersApi } from '../../../backend/modules/reminders/reminders.api.js';
import type { searchApi } from '../../../backend/modules/search/search.api.js';
import type { seriesApi, seriesCalls } from '../../../backend/modules/series/series.api.js';
import type { settingsApi } from '../../../backend/modules/settings/settings.api.js';
import type {
  ownChangesApi,
  partnerNameApi,
  sessionRequestsApi,
} from '../../../backend/modules/student-area/student-area.api.js';
import type {
  ownBookingApi,
  studentBookingApi,
} from '../../../backend/modules/student-area/student-booking.api.js';
import type { studentImportsApi } from '../../../backend/modules/student-imports/student-imports.api.js';
import type { studentNotesApi } from '../../../backend/modules/student-notes/student-notes.api.js';
import type { studentPausesApi } from '../../../backend/modules/student-pauses/student-pauses.api.js';
import type { studentsApi } from '../../../backend/modules/students/students.api.js';
import type { taskListsApi, tasksApi } from '../../../backend/modules/tasks/tasks.api.js';
import type { vacationsApi } from '../../../backend/modules/vacations/vacations.api.js';
import type { AnswerOf, Call, GivenTo, PartsAt } from '../../../backend/platform/http/calls.api.js';
import { http } from './http.js';

/** What the server serves, by its types alone: schemas and summaries stay there. */
type Apis =
  | typeof accountApi
  | typeof agendaApi
  | typeof freeTimesApi
  | typeof areaLinksApi
  | typeof areaLinksCalls
  | typeof arrivedPixApi
  | typeof availabilityApi
  | typeof bankLinesApi
  | typeof bankLinesCalls
  | typeof calendarFeedApi
  | typeof chargesApi
  | typeof contractsApi
  | typeof contractsCalls
  | typeof creditListsApi
  | typeof creditTransfersApi
  | typeof creditsApi
  | typeof deletionApi
  | typeof enrolmentApi
  | typeof expiryWarningsApi
  | typeof financeApi
  | typeof generalTermsApi
  | typeof groupsApi
  | typeof historyApi
  | typeof holidaysApi
  | typeof invitesApi
  | typeof invitesCalls
  | typeof letterLinksApi
  | typeof locationsApi
  | typeof makeUpRulesApi
  | typeof meApi
  | typeof monthlyPlansApi
  | typeof notificationSettingsApi
  | typeof otherCalendarApi
  | typeof otherCalendarCalls
  | typeof ownBookingApi
  | typeof ownChangesApi
  | typeof ownChargesApi
  | typeof ownConfirmationsApi
  | typeof ownContractsApi
  | typeof ownCreditsApi
  | typeof ownNotificationSettingsApi
  | typeof ownPaymentsApi
  | typeof ownCancellationApi
  | typeof ownSessionsApi
  | typeof partnerNameApi
  | typeof pixAccountApi
  | typeof pixNoticesApi
  | typeof pixNoticesCalls
  | typeof pixProviderApi
  | typeof pixProviderCalls
  | typeof plansApi
  | typeof policiesApi
  | typeof policyPreviewApi
  | typeof postalCodesApi
  | typeof privacyApi
  | typeof privacyCalls
  | typeof profileApi
  | typeof publicLinkApi
  | typeof pushApi
  | typeof receiptIssuerApi
  | typeof receiptsApi
  | typeof receivablesApi
  | typeof recentStudentsApi
  | typeof recurringExpensesApi
  | typeof remindersApi
  | typeof renewalsApi
  | typeof searchApi
  | typeof seriesApi
  | typeof seriesCalls
  | typeof sessionDaysApi
  | typeof sessionRequestsApi
  | typeof settingsApi
  | typeof sharingApi
  | typeof signatureRequestsApi
  | typeof studentBookingApi
  | typeof studentCalendarApi
  | typeof studentImportsApi
  | typeof studentNotesApi
  | typeof studentPausesApi
  | typeof studentsApi
  | typeof taskListsApi
  | typeof tasksApi
  | typeof vacationsApi
  | typeof waitlistApi
  | typeof weekCopyApi;

type CallsIn<Api> = Api extends unknown ? Api[keyof Api] : never;
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

type Read<A extends Address> = WithParts<A> & WithBody<A> & WithQuery<A> & { signal?: AbortSignal };
export type Write<A extends Address> = WithParts<A> & WithBody<A>;
/** The last argument, which is left out where nothing is required in it. */
type Given<Options> = Record<never, never> extends Options ? [options?: Options] : [options: Options];

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
