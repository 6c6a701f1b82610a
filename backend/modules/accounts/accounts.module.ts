import { Global, Module, Controller, Param } from '@nestjs/common';
import { DeleteAccountAgain } from '../../platform/event-store/forgotten-list.js';
import type { Feature } from '../../platform/features.js';
import { IdentityGuard } from '../../platform/http/identity.guard.js';
import { serve, together, Serves } from '../../platform/http/serve.js';
import { SessionVerifier } from '../../platform/realtime/session-verifier.js';
import { SessionGuard } from './session.guard.js';
import { accountErrors } from './account.api.js';
import { AccountController } from './account.controller.js';
import { accountsErrors } from './accounts.api.js';
import { EndAreaLink, OpenAreaLink } from './area-links.commands.js';
import { areaLinks, studentInvites } from './student-access.guards.js';
import { areaLinksApi, areaLinksErrors, type OwnArea, areaLinksCalls } from './area-links.api.js';
import { AreaLinks } from './area-links.service.js';
import { authFailures } from './auth/auth-failures.js';
import { AuthLimits } from './auth/auth-limits.service.js';
import { AuthMails } from './auth/auth-mails.js';
import { FactorsController } from './auth/factors.controller.js';
import { Factors } from './auth/factors.service.js';
import { PasskeysController } from './auth/passkeys.controller.js';
import { Passkeys } from './auth/passkeys.service.js';
import { CpfClaims } from './auth/cpf-claims.service.js';
import { Guessing } from './auth/guessing.service.js';
import { IdTokenGrant } from './auth/id-token.grant.js';
import { Identities } from './auth/identities.service.js';
import { MailRequestsController } from './auth/mail-requests.controller.js';
import { MailRequests } from './auth/mail-requests.service.js';
import { MailTokens } from './auth/mail-tokens.service.js';
import { MailedCodes } from './auth/mailed-codes.service.js';
import { NewcomersController } from './auth/newcomers.controller.js';
import { Newcomers } from './auth/newcomers.service.js';
import { PasswordGrant } from './auth/password.grant.js';
import { PkceGrant } from './auth/pkce.grant.js';
import { ProviderFlows } from './auth/provider-flows.service.js';
import { ProvidersController } from './auth/providers.controller.js';
import { Providers } from './auth/providers.service.js';
import { RecoveryCodes } from './auth/recovery-codes.service.js';
import { Redirects } from './auth/redirects.js';
import { RefreshGrant } from './auth/refresh.grant.js';
import { ServiceController } from './auth/service.controller.js';
import { SignUpController } from './auth/sign-up.controller.js';
import { SignUps } from './auth/sign-up.service.js';
import { TokenController } from './auth/token.controller.js';
import { UserChanges } from './auth/user-changes.service.js';
import { UserController } from './auth/user.controller.js';
import { VerifyController } from './auth/verify.controller.js';
import { Verifications } from './auth/verify.service.js';
import { inviteAcceptedMail, InviteMails } from './invite-mails.service.js';
import { invitesApi, invitesErrors } from './invites.api.js';
import {
  CancelInvites,
  AcceptInvite,
  CancelPayerInvites,
  EndStudentAccess,
  InvitePayer,
  InviteStudent,
} from './invites.commands.js';
import { inviteFailures } from './invite-page.html.js';
import { InvitePageController, InvitesController } from './invites.controller.js';
import { OpenInvites, ShowPayerAccess, ShowStudentAccess } from './invites.queries.js';
import { Invites } from './invites.service.js';
import { LeaveTenant } from './leaving.commands.js';
import { MeController } from './me.controller.js';
import { AccountDeletions } from './own-data/account-deletions.service.js';
import { AccountExports } from './own-data/account-exports.service.js';
import { accountJob, AccountJobs, accountsDue } from './own-data/account-jobs.js';
import { ContactChanges } from './own-data/contact-changes.service.js';
import { DeletionController } from './own-data/deletion.controller.js';
import { ExportWriter } from './own-data/export-writer.js';
import { ExportsController } from './own-data/exports.controller.js';
import { ownDataErrors } from './own-data/own-data.api.js';
import { PersonProofs } from './own-data/person-proofs.service.js';
import { profileErrors } from './profile.api.js';
import { FindCpf, FindPhoneHandler } from './profile.queries.js';
import { ProfileController } from './profile.controller.js';
import { Passwords } from './secrets/passwords.service.js';
import { Secrets } from './secrets/secrets.service.js';
import { Tickets } from './secrets/tickets.service.js';
import { SecurityEvents } from './security/security-events.service.js';
import { SecurityMails } from './security/security-mails.js';
import { AccessTokens } from './sessions/access-tokens.service.js';
import { Devices } from './sessions/devices.service.js';
import { SessionTokens } from './sessions/session-tokens.service.js';
import { Sessions } from './sessions/sessions.service.js';
import { rotateKeys } from './sessions/rotate-keys.js';
import { SigningKeys } from './sessions/signing-keys.service.js';
import { studentAccess, type StudentAccessEvent } from './student-access.js';
import { studentAccesses } from './student-access.projection.js';
import { tenant, type TenantEvent } from './tenant.js';
import { Profiles } from './users/profiles.service.js';
import { Users } from './users/users.service.js';
import type { HistoryWords } from '../../platform/event-store/history.js';
import { reassignedWords } from '../students/reassigned.js';
import { defineGuard } from '../../platform/event-store/guard.js';
import { sql } from 'kysely';
import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { Problem } from '../../platform/http/problem.js';
import { trainersName } from './trainers-name.queries.js';
import { randomUUID } from 'node:crypto';
import { CommandBus } from '@nestjs/cqrs';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { firstName } from '../../platform/portuguese.js';

/** Links by which students without an account see their area. */
@Controller()
class AreaLinksController {
  constructor(
    private readonly commands: CommandBus,
    private readonly links: AreaLinks,
  ) {}

  @Serves(areaLinksCalls.open)
  async open(@Ctx() context: CommandContext, @Param('id') studentId: string) {
    const link_id = randomUUID();
    const link = { link_id, token_hash: this.links.hashOf(link_id) };
    const { answer, ...result } = await this.commands.execute(new OpenAreaLink(context, studentId, link));
    const { id, expires_at } = answer;
    return { answer: { url: this.links.urlOf(id), expires_at }, ...result };
  }
}

/** The names that the student's area shows. */
const ShowOwnArea = defineQuery('ShowOwnArea', async ({ context, read }): Promise<OwnArea> => {
  const { studentId, timezone } = context;
  const [row] = await read(area({ studentId: studentId! }));
  if (!row?.nome) throw new Problem('area_links.not_valid');
  return {
    primeiro_nome: firstName(row.nome),
    personal: row.personal ?? 'Seu personal',
    timezone,
    posicao: row.posicao,
  };
});

const area = statement((db, { studentId }: Blanks<{ studentId: string }>) =>
  db
    .selectFrom('students as s')
    .select('s.nome')
    .select(trainersName.as('personal'))
    .select(
      sql<number>`coalesce((select c.position from projection_checkpoint c where c.tenant_id = s.tenant_id
        and c.projection = 'shared'), 0)`.as('posicao'),
    )
    .where('s.id', '=', studentId)
    .where('s.status', '<>', 'removed')
    .compile(),
);

/** Closed tenants. Commands check this table under the tenant's lock and record no event in a closed tenant. */
const closedTenants = defineGuard<TenantEvent>({
  name: 'closed-tenants',
  tables: ['closed_tenants'],
  writes: { TenantClosed: () => [['insert into closed_tenants (tenant_id) values ($1)']] },
});

const subjects = ({ student_id }: { student_id: string }) => [`student:${student_id}`];
const said = (words: string) => ({ subjects, words: () => words });

/** A payer's says so, to the payer too. */
const ofInvite = (words: string) => ({
  subjects: ({ student_id, payer_id }: { student_id: string; payer_id?: string }) =>
    payer_id === undefined ? [`student:${student_id}`] : [`student:${student_id}`, `payer:${payer_id}`],
  words: ({ payer_id }: { payer_id?: string }, _zone: string, of: string) =>
    payer_id === undefined || of === `payer:${payer_id}` ? words : `${words} de quem paga`,
});

const invitesHistory: HistoryWords<StudentAccessEvent> = {
  StudentInvited: ofInvite('Gerou um link de convite'),
  InvitesCancelled: ofInvite('Cancelou o convite'),
  InviteAccepted: ofInvite('Aceitou o convite'),
  AccessTakenOver: { subjects: () => [], words: reassignedWords },
  StudentAccessEnded: said('Encerrou o acesso do aluno'),
  AreaLinkOpened: said('Gerou um link da área do aluno'),
  AreaLinkEnded: said('Desativou o link da área do aluno'),
};

/**
 * How long rows are kept: devices 400 days, as long as their cookie; mail tokens a day until the mail is sent, then ten minutes;
 * codes and challenges five minutes; flows of providers ten minutes, and the sign-up page after them an hour; unfinished
 * enrolments of a second factor a day; copies of somebody's data a day; security events a year.
 */
const accountsPurges = [
  `delete from auth.security_events where at < now() - interval '1 year'`,
  `delete from auth.known_devices where seen_at < now() - interval '400 days'`,
  `delete from auth.mail_tokens where created_at < now() - interval '25 hours'`,
  `delete from auth.pending_sign_ups where created_at < now() - interval '25 hours'`,
  `delete from auth.flow_states where created_at < now() - interval '1 hour'`,
  `delete from auth.provider_flows where created_at < now() - interval '70 minutes'`,
  `delete from auth.factor_challenges where created_at < now() - interval '1 hour'`,
  `delete from auth.passkey_challenges where created_at < now() - interval '1 hour'`,
  `delete from auth.factors where verified_at is null and created_at < now() - interval '1 day'`,
  `delete from auth.signing_keys k where exists (select from auth.signing_keys n
     where n.active_from > k.active_from and n.active_from < now() - interval '2 hours')`,
  `delete from auth.account_exports where coalesce(done_at, created_at) < now() - interval '1 day'`,
];

/** Sign-up, sign-in, sessions, memberships, and the identity guard of every route. */
@Global()
/**
 * The mails and sign-ins of an account's owner have separate limits. Mails and wrong passwords are counted separately for a
 * signed-in person, for a browser that has signed in to the account before (by a cookie), for a first sign-up, and for everybody
 * else together. After 50 wrong passwords within an hour from unknown browsers, these can sign in with a mailed code only; the
 * owner is told by mail once a day.
 *
 * An account may be several students of one trainer, as a parent of two children: each has a membership of its own, and requests
 * name it (`Rende-Student`), as they name the tenant of a person with several ones (`Rende-Tenant`).
 *
 * A passkey signs in alone, and counts as both factors: its device has checked the person. Having one asks nothing of other
 * sign-ins, so whoever loses it enters with the password or a mailed code, and with the app or a recovery code where there is one.
 *
 * A CPF belongs to one account. No answer reveals that it is known: it stays in the first profile, and both people are told by
 * mail.
 */
@Module(
  together(
    serve(areaLinksApi, { end: EndAreaLink, show: ShowOwnArea }),
    serve(invitesApi, {
      access: ShowStudentAccess,
      cancel: CancelInvites,
      end: EndStudentAccess,
      accessOfPayer: ShowPayerAccess,
      cancelOfPayer: CancelPayerInvites,
    }),
    {
      exports: [IdentityGuard, SessionVerifier],
      controllers: [
        SignUpController,
        TokenController,
        MailRequestsController,
        VerifyController,
        UserController,
        FactorsController,
        PasskeysController,
        ProvidersController,
        NewcomersController,
        ServiceController,
        MeController,
        InvitesController,
        InvitePageController,
        AreaLinksController,
        AccountController,
        ProfileController,
        ExportsController,
        DeletionController,
      ],
      providers: [
        Secrets,
        Tickets,
        Passwords,
        SigningKeys,
        AccessTokens,
        Sessions,
        SessionTokens,
        SecurityEvents,
        SecurityMails,
        Devices,
        Users,
        Profiles,
        FindCpf.Handler,
        FindPhoneHandler,
        Redirects,
        AuthLimits,
        Guessing,
        CpfClaims,
        PasswordGrant,
        RefreshGrant,
        PkceGrant,
        Providers,
        Identities,
        Newcomers,
        ProviderFlows,
        IdTokenGrant,
        SignUps,
        MailTokens,
        MailedCodes,
        MailRequests,
        UserChanges,
        Factors,
        RecoveryCodes,
        Passkeys,
        Verifications,
        AuthMails,
        Invites,
        AreaLinks,
        OpenAreaLink.Handler,
        InviteMails,
        InviteStudent.Handler,
        InvitePayer.Handler,
        AcceptInvite.Handler,
        OpenInvites,
        PersonProofs,
        ExportWriter,
        AccountExports,
        AccountDeletions,
        ContactChanges,
        AccountJobs,
        LeaveTenant.Handler,
        { provide: DeleteAccountAgain, useExisting: AccountDeletions },
        { provide: SessionVerifier, useExisting: Sessions },
        { provide: IdentityGuard, useClass: SessionGuard },
      ],
    },
  ),
)
export class AccountsModule {
  static readonly feature: Feature = {
    aggregates: [tenant, studentAccess],
    guards: [studentInvites, areaLinks, closedTenants],
    projections: [studentAccesses],
    history: invitesHistory,
    errors: {
      ...accountsErrors,
      ...accountErrors,
      ...profileErrors,
      ...invitesErrors,
      ...areaLinksErrors,
      ...ownDataErrors,
    },
    failures: [authFailures, inviteFailures],
    reactions: [inviteAcceptedMail],
    jobs: [accountJob, accountsDue],
    purges: accountsPurges,
    commands: { 'keys:rotate': rotateKeys },
  };
}
