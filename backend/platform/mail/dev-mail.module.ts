import { Module } from '@nestjs/common';
import { DevMailController } from './dev-mail.controller.js';
import { FolderPost } from './folder-post.js';

/** Part of the api role outside production, where mails go to a folder. */
@Module({ controllers: [DevMailController], providers: [FolderPost] })
export class DevMailModule {}
