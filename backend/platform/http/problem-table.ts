import { Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { type ErrorTable, platformErrors } from './common.api.js';
import { mergeErrorTables } from './problem.js';

/** The problem codes of the platform and of every module that lists `errors` in its feature. */
@Injectable()
export class ProblemTable {
  private merged: ErrorTable | undefined;

  constructor(private readonly modules: ModulesContainer) {}

  get entries(): ErrorTable {
    this.merged ??= mergeErrorTables([
      platformErrors,
      ...[...this.modules.values()].flatMap(({ metatype }) => {
        const { feature } = metatype as { feature?: { errors?: ErrorTable } };
        return feature?.errors ? [feature.errors] : [];
      }),
    ]);
    return this.merged;
  }
}
