# files of this room
