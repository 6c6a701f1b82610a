import { Module } from '@nestjs/common';
import { AccountsModule } from './modules/accounts/accounts.module.js';
import { AdvisorModule } from './modules/advisor/advisor.module.js';
import { AgendaModule } from './modules/agenda/agenda.module.js';
import { AuditModule } from './modules/audit/audit.module.js';
import { AvailabilityModule } from './modules/availability/availability.module.js';
import { AwayModule } from './modules/away/away.module.js';
import { CalendarFeedModule } from './modules/calendar-feed/calendar-feed.module.js';
import { CalendarLinksModule } from './modules/calendar-links/calendar-links.module.js';
import { OwedSessionsModule } from './modules/owed-sessions/owed-sessions.module.js';
import { BankLinesModule } from './modules/bank-lines/bank-lines.module.js';
import { ChargesModule } from './modules/charges/charges.module.js';
import { ContractsModule } from './modules/contracts/contracts.module.js';
import { CreditsModule } from './modules/credits/credits.module.js';
import { DossierModule } from './modules/dossier/dossier.module.js';
import { EnrolmentModule } from './modules/enrolment/enrolment.module.js';
import { ExpiryWarningsModule } from './modules/expiry-warnings/expiry-warnings.module.js';
import { FinanceModule } from './modules/finance/finance.module.js';
import { GeneralTermsModule } from './modules/general-terms/general-terms.module.js';
import { HolidaysModule } from './modules/holidays/holidays.module.js';
import { LocationsModule } from './modules/locations/locations.module.js';
import { LettersModule } from './modules/letters/letters.module.js';
import { MergingModule } from './modules/merging/merging.module.js';
import { NudgesModule } from './modules/nudges/nudges.module.js';
import { NoticesModule } from './modules/notices/notices.module.js';
import { OtherCalendarModule } from './modules/other-calendar/other-calendar.module.js';
import { PayersModule } from './modules/payers/payers.module.js';
import { PlansModule } from './modules/plans/plans.module.js';
import { PoliciesModule } from './modules/policies/policies.module.js';
import { PrivacyModule } from './modules/privacy/privacy.module.js';
import { PublicLinkModule } from './modules/public-link/public-link.module.js';
import { ReceiptsModule } from './modules/receipts/receipts.module.js';
import { RemindersModule } from './modules/reminders/reminders.module.js';
import { SealsModule } from './modules/seals/seals.module.js';
import { SearchModule } from './modules/search/search.module.js';
import { ClassesModule } from './modules/classes/classes.module.js';
import { SeriesModule } from './modules/series/series.module.js';
import { ServicesModule } from './modules/services/services.module.js';
import { SessionsModule } from './modules/sessions/sessions.module.js';
import { SettingsModule } from './modules/settings/settings.module.js';
import { StudentAreaModule } from './modules/student-area/student-area.module.js';
import { StudentImportsModule } from './modules/student-imports/student-imports.module.js';
import { StudentNotesModule } from './modules/student-notes/student-notes.module.js';
import { StudentPausesModule } from './modules/student-pauses/student-pauses.module.js';
import { StudentsModule } from './modules/students/students.module.js';
import { TasksModule } from './modules/tasks/tasks.module.js';
import { ToldContactsModule } from './modules/told-contacts/told-contacts.module.js';
import { VacationsModule } from './modules/vacations/vacations.module.js';
import { WhatsappModule } from './modules/whatsapp/whatsapp.module.js';
import { WhatIfModule } from './modules/what-if/what-if.module.js';

/** What the application is made of. */
@Module({
  imports: [
    AccountsModule,
    StudentsModule,
    EnrolmentModule,
    StudentImportsModule,
    PayersModule,
    StudentNotesModule,
    ToldContactsModule,
    StudentPausesModule,
    PlansModule,
    ServicesModule,
    LocationsModule,
    PoliciesModule,
    CreditsModule,
    ExpiryWarningsModule,
    NudgesModule,
    SessionsModule,
    AgendaModule,
    AvailabilityModule,
    AwayModule,
    VacationsModule,
    WhatIfModule,
    WhatsappModule,
    HolidaysModule,
    CalendarLinksModule,
    CalendarFeedModule,
    RemindersModule,
    OtherCalendarModule,
    SeriesModule,
    ClassesModule,
    ContractsModule,
    FinanceModule,
    ChargesModule,
    BankLinesModule,
    OwedSessionsModule,
    ReceiptsModule,
    AdvisorModule,
    SettingsModule,
    GeneralTermsModule,
    AuditModule,
    SealsModule,
    PrivacyModule,
    SearchModule,
    TasksModule,
    PublicLinkModule,
    StudentAreaModule,
    MergingModule,
    DossierModule,
    LettersModule,
    NoticesModule,
  ],
})
export class AppModule {}
