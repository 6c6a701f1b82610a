import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { calendarFeedErrors } from './calendar-feed.api.js';
import {
  RenewCalendarFeed,
  RestoreCalendarFeed,
  RevokeCalendarFeed,
  SetCalendarFeed,
} from './calendar-feed.commands.js';
import {
  CalendarFeedController,
  PublicCalendarController,
  SessionFileController,
} from './calendar-feed.controller.js';
import { calendarFeedTokens } from './calendar-feed.guard.js';
import { calendarFeedHistory } from './calendar-feed.history.js';
import { calendarFeed } from './calendar-feed.js';
import { calendarFeeds, sessionRevisions } from './calendar-feed.projection.js';
import {
  ReadCalendarHandler,
  ReadSessionEntryHandler,
  ShowCalendarFeedHandler,
} from './calendar-feed.queries.js';

@Module({
  controllers: [CalendarFeedController, SessionFileController, PublicCalendarController],
  providers: [
    SetCalendarFeed.Handler,
    RenewCalendarFeed.Handler,
    RevokeCalendarFeed.Handler,
    RestoreCalendarFeed.Handler,
    ShowCalendarFeedHandler,
    ReadCalendarHandler,
    ReadSessionEntryHandler,
  ],
})
export class CalendarFeedModule {
  static readonly feature: Feature = {
    aggregates: [calendarFeed],
    guards: [calendarFeedTokens],
    projections: [calendarFeeds, sessionRevisions],
    history: calendarFeedHistory,
    errors: calendarFeedErrors,
  };
}
