/* The contents of a file: in the document an object, which is left open. */
#ifndef RILL_SHOW_CONTENTS_H
#define RILL_SHOW_CONTENTS_H

#include "output/csv.h"
#include "output/series_file.h"
#include "show/page.h"
#include "study/recording.h"

void rill_show_recording(struct rill_page *page, const char *path, const struct rill_recording_facts *facts);
void rill_show_series(struct rill_page *page, const char *path, const struct rill_series_file_info *info);
void rill_show_checkpoint(struct rill_page *page, const char *path, const struct rill_checkpoint *checkpoint);
void rill_show_table(struct rill_page *page, const char *path, const struct rill_csv_info *info);

/* For all frames, the document has an open list, and each object is closed. */
void rill_show_frame(const struct rill_shown_frames *all, const struct rill_structure *structure, size_t frame,
                     const struct rill_frame_facts *facts);
/* To be called after the last frame: their number, which the text shows above them. */
void rill_show_frame_count(const struct rill_shown_frames *all, size_t frames);

#endif
