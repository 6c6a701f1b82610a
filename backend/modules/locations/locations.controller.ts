import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { created, idParams } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Route } from '../../platform/http/route.js';
import {
  newLocation,
  type NewLocation,
  location,
  locationChanges,
  type LocationChanges,
  locationList,
  type LocationList,
  locationPage,
} from './locations.api.js';
import { AddLocation, RemoveLocation, RestoreLocation, UpdateLocation } from './locations.commands.js';
import { GetLocation, ListLocations } from './locations.queries.js';

@Controller('locations')
export class LocationsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Route({ summary: 'Lista locais', query: locationList, answer: locationPage })
  list(@Ctx() context: CommandContext, @Query() list: LocationList) {
    return this.queries.execute(new ListLocations(context, list));
  }

  @Post()
  @Route({ summary: 'Cadastra um local', body: newLocation, answer: created, status: 201 })
  add(@Ctx() context: CommandContext, @Body() fields: NewLocation) {
    return this.commands.execute(new AddLocation(context, fields));
  }

  @Get(':id')
  @Route({ summary: 'Mostra um local', params: idParams, answer: location })
  get(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.queries.execute(new GetLocation(context, id));
  }

  @Patch(':id')
  @Route({
    summary: 'Altera, ativa ou inativa um local',
    params: idParams,
    body: locationChanges,
    answer: created,
  })
  update(@Ctx() context: CommandContext, @Param('id') id: string, @Body() changes: LocationChanges) {
    return this.commands.execute(new UpdateLocation(context, id, changes));
  }

  @Delete(':id')
  @Route({ summary: 'Exclui um local sem vínculos', params: idParams, answer: created })
  remove(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.commands.execute(new RemoveLocation(context, id));
  }

  @Post(':id/restore')
  @Route({ summary: 'Desfaz a exclusão de um local', params: idParams, answer: created })
  restore(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.commands.execute(new RestoreLocation(context, id));
  }
}
