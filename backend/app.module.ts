import { Module } from '@nestjs/common';
import { AccountsModule } from './modules/accounts/accounts.module.js';
import { CreditsModule } from './modules/credits/credits.module.js';
import { LocationsModule } from './modules/locations/locations.module.js';
import { PlansModule } from './modules/plans/plans.module.js';
import { PoliciesModule } from './modules/policies/policies.module.js';
import { StudentsModule } from './modules/students/students.module.js';

/** What the application is made of. */
@Module({
  imports: [AccountsModule, StudentsModule, PlansModule, LocationsModule, PoliciesModule, CreditsModule],
})
export class AppModule {}
