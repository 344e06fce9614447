// One entry of the table in resources.c: the name and the content of the file that FILE names.
// It is included once for each file, so it has no include guard.

{
    TEXT(FILE),
    (const unsigned char[]){
#embed TEXT(FILE)
    },
    sizeof((const unsigned char[]){
#embed TEXT(FILE)
    }),
},
#undef FILE
