import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import { dossierApi, dossierErrors } from './dossier.api.js';
import { DossierController } from './dossier.controller.js';
import { PreviewDossier, PrintDossier } from './dossier.queries.js';

/**
 * What a dispute with a student is about, as one file: the contract and the rules in force, the sessions with who booked, moved and
 * cancelled them, the statement of credits, the money and the messages of a period. Each fact has a number, and the number leads to the
 * records of the log that say it, with moment, author and device (`dossier.facts.ts`). It records nothing: all is read as it is now, in
 * the words of the history, without the trainer's private notes. Its code names the newest of its records, which `/verificar` finds in
 * the chain and in the seal of its day; and the file is signed as signed contracts are. Of a forgotten student it says what is left:
 * days, amounts and rules.
 */
@Module(
  together(serve(dossierApi, { preview: PreviewDossier }), {
    controllers: [DossierController],
    providers: [PrintDossier.Handler],
  }),
)
export class DossierModule {
  static readonly feature: Feature = { errors: dossierErrors };
}
